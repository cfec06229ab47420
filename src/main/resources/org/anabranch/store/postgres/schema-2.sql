-- Version 2: the marks of rows that no reference reached.

CREATE TABLE condemned (
    number bigint PRIMARY KEY,
    at_micros bigint NOT NULL,
    parents bigint[] NOT NULL
);
