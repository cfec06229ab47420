package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.anabranch.store.contract.StoreRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** How every store keeps and lists references. */
abstract class ReferencesContract extends ContractPart {

    ReferencesContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void anUnknownNameIsEmpty() {
        assertThat(store().reference("nowhere")).isEmpty();
        assertThat(store().references(ReferenceKind.BRANCH, "", 10)).isEmpty();
    }

    @Test
    void everyFieldComesBack() {
        ReferenceRow created = existing(branch("release/ü-\uD83C\uDF0A", 1, 9), row(1));
        ReferenceRow next = moved(created, 2);
        write(move(created, next), row(2, 1L));

        assertThat(store().reference(created.name())).contains(next);
        assertThat(next.published()).hasSize(1);
    }

    @Test
    void namesAreListedInOrderOfTheirBytes() {
        // UTF-16 code units would put the supplementary U+1F30A before U+FF5E, their UTF-8 bytes do not.
        List<String> names = List.of("A", "B", "a", "a-b", "a/b", "ab", "é", "\uFF5E", "\uD83C\uDF0A");
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled, new Random(1));
        for (String name : shuffled) {
            existing(branch(name, 0, 100 + names.indexOf(name)));
        }

        assertThat(store().references(ReferenceKind.BRANCH, "", 100))
                .extracting(ReferenceRow::name)
                .containsExactlyElementsOf(names);
    }

    @Test
    void aListIsPagedByName() {
        for (String name : List.of("a", "b", "d", "e")) {
            existing(branch(name, 0, name.charAt(0)));
        }

        assertThat(store().references(ReferenceKind.BRANCH, "", 2))
                .extracting(ReferenceRow::name)
                .containsExactly("a", "b");
        assertThat(store().references(ReferenceKind.BRANCH, "b", 2))
                .extracting(ReferenceRow::name)
                .containsExactly("d", "e");
        assertThat(store().references(ReferenceKind.BRANCH, "c", 1))
                .extracting(ReferenceRow::name)
                .containsExactly("d");
        assertThat(store().references(ReferenceKind.BRANCH, "e", 2)).isEmpty();
    }

    @Test
    void branchesAndTagsAreListedApart() {
        ReferenceRow branch = existing(branch("a", 0, 8));
        ReferenceRow tag = existing(tag("b", 0, 9));

        assertThat(store().references(ReferenceKind.BRANCH, "", 10)).containsExactly(branch);
        assertThat(store().references(ReferenceKind.TAG, "", 10)).containsExactly(tag);
    }

    @Test
    void branchesAndTagsShareTheirNames() {
        ReferenceRow branch = existing(branch("a", 0, 8));

        assertThat(write(create(tag("a", 0, 9)))).isEqualTo(new ReferenceMoved(branch));
        assertThat(store().reference("a")).contains(branch);
    }
}
