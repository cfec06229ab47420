package org.anabranch.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.anabranch.cli.demo.CommitGraph.Node;
import org.junit.jupiter.api.Test;

class CommitGraphTest {

    @Test
    void drawsALineOfCommits() {
        assertDrawn("""
                *  b
                *  a
                """, commit("b", "a"), commit("a"));
    }

    @Test
    void drawsABranchThatWasMerged() {
        assertDrawn("""
                *  m
                |\\
                | *  e
                * |  d
                |/
                *  b
                *  a
                """, commit("m", "d", "e"), commit("e", "b"), commit("d", "b"), commit("b", "a"), commit("a"));
    }

    @Test
    void drawsBranchesThatWereNotMerged() {
        assertDrawn("""
                *  c
                | *  d
                | | *  e
                |_|/
                |/
                *  a
                """, commit("c", "a"), commit("d", "a"), commit("e", "a"), commit("a"));
    }

    @Test
    void drawsParentsThatAreNotShownAsTheEnd() {
        assertDrawn("""
                *  b
                """, commit("b", "elsewhere"));
    }

    private static void assertDrawn(String expected, Node... nodes) {
        assertThat(CommitGraph.draw(List.of(nodes))).containsExactly(expected.split("\n"));
    }

    private static Node commit(String hash, String... parents) {
        return new Node(hash, Arrays.asList(parents), hash);
    }
}
