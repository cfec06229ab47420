package org.anabranch.service;

import static org.anabranch.service.ReadFixture.at;
import static org.anabranch.service.ReadFixture.head;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.model.RefusedException;
import org.anabranch.model.Udf;
import org.anabranch.object.Commit;
import org.anabranch.service.ReadContents.Purpose;
import org.junit.jupiter.api.Test;

class ReadContentsTest {

    private final ReadFixture fixture = new ReadFixture();

    @Test
    void missingKeysAreAbsentAndDuplicatesCollapse() {
        SortedMap<ContentKey, Content> contents = ReadFixture.contents(new Random(1), 500);
        Commit commit = fixture.commitOf(contents);
        ContentKey one = contents.firstKey();
        ContentKey other = contents.lastKey();
        ReadContents.Found found = fixture.contents.read(
                at(commit), List.of(other, one, ContentKey.of("missing"), one, other), Purpose.READ, UNRESTRICTED);
        assertThat(found.contents().toList())
                .extracting(Entry::key, Entry::content)
                .containsExactly(tuple(one, contents.get(one)), tuple(other, contents.get(other)));
        assertThat(found.reference()).isEqualTo(new Reference.Detached(commit.id()));
        assertThat(fixture.contents
                        .read(at(commit), List.of(), Purpose.READ, UNRESTRICTED)
                        .contents()
                        .toList())
                .isEmpty();
    }

    @Test
    void aKeyThatMustBeThereIsNamedWhenItIsNot() {
        Commit commit = fixture.commitOf(Map.of(ContentKey.of("a"), ReadFixture.table(1)));
        assertThat(fixture.contents
                        .read(at(commit), ContentKey.of("a"), Purpose.READ, UNRESTRICTED)
                        .content())
                .isEqualTo(ReadFixture.table(1));
        assertThatThrownBy(() -> fixture.contents.read(at(commit), ContentKey.of("b"), Purpose.READ, UNRESTRICTED))
                .isInstanceOfSatisfying(RefusedException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONTENT_NOT_FOUND);
                    assertThat(e.key()).isEqualTo(ContentKey.of("b"));
                });
    }

    @Test
    void largeContentsAreReadWhole() {
        Content large = new Udf(ReadFixture.table(1).id(), "s3://f", "1", "1", "select " + "x".repeat(100_000), "sql");
        Commit commit = fixture.commitOf(Map.of(ContentKey.of("f"), large, ContentKey.of("t"), ReadFixture.table(2)));
        assertThat(fixture.contents
                        .read(at(commit), List.of(ContentKey.of("f"), ContentKey.of("t")), Purpose.READ, UNRESTRICTED)
                        .contents()
                        .toList())
                .extracting(Entry::content)
                .containsExactly(large, ReadFixture.table(2));
    }

    /** Each is more than a block of its own. */
    @Test
    void largeContentsAreReadAsTheyAreTaken() {
        Map<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < 5; i++) {
            contents.put(
                    ContentKey.of("f" + i),
                    new Udf(new ContentId(new UUID(0, i + 1)), "s3://f", "1", "1", "x".repeat(2 << 20), "sql"));
        }
        Commit commit = fixture.commitOf(contents);
        fixture.reader.resetCounts();
        Page<Entry> page = fixture.contents
                .read(at(commit), contents.keySet(), Purpose.READ, UNRESTRICTED)
                .contents();
        for (int i = 0; i < 5; i++) {
            assertThat(page.next().content()).isEqualTo(contents.get(ContentKey.of("f" + i)));
            assertThat(fixture.reader.contentsRead()).isEqualTo(i + 1);
        }
        assertThat(page.hasNext()).isFalse();
    }

    @Test
    void anUnknownReferenceIsNotFound() {
        assertThatThrownBy(() ->
                        fixture.contents.read(head("none"), List.of(ContentKey.of("a")), Purpose.READ, UNRESTRICTED))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REFERENCE_NOT_FOUND));
    }
}
