-- Version 1 of the tables; docs/formats.md says what they hold.

-- Chunks are compressed by the service. Most are below 4 kB and stay in line, without a second row for their bytes.
CREATE TABLE chunk (
    address bigint PRIMARY KEY,
    id bytea,
    parents bytea,
    bytes bytea NOT NULL
) WITH (toast_tuple_target = 4080);
ALTER TABLE chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Eight bytes tell commits apart nearly as well as all 32, in half the space.
CREATE INDEX chunk_by_id ON chunk (substring(id FROM 1 FOR 8)) WHERE id IS NOT NULL;

-- Room on the page for the next version of a row, so that a move touches no index.
CREATE TABLE reference (
    name text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    head_number bigint NOT NULL,
    head_id bytea NOT NULL,
    incarnation bigint NOT NULL,
    version bigint NOT NULL,
    created_at_micros bigint NOT NULL,
    published bytea NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX reference_by_kind ON reference (kind, name);

CREATE TABLE repository (
    one integer PRIMARY KEY CHECK (one = 1),
    id text NOT NULL,
    format_version integer NOT NULL,
    salt bytea NOT NULL,
    default_branch text NOT NULL,
    created_at_micros bigint NOT NULL,
    oldest_commit_at_micros bigint NOT NULL,
    configs text[] NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE receipt (
    scope text COLLATE "C" PRIMARY KEY,
    request_digest bytea NOT NULL,
    head_number bigint NOT NULL,
    head_id bytea NOT NULL,
    response bytea NOT NULL,
    expires_at_micros bigint NOT NULL
);
CREATE INDEX receipt_by_expiry ON receipt (expires_at_micros);

CREATE TABLE number_block (
    one integer PRIMARY KEY CHECK (one = 1),
    next bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO number_block VALUES (1, 1);
