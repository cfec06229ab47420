package org.anabranch.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeAddressTest {

    @Test
    void addressesOfRowsSideBySideHaveHashesOfTheirOwn() {
        Set<NodeAddress> addresses = new HashSet<>();
        Set<Integer> hashes = new HashSet<>();
        for (int row = 0; row < 200; row++) {
            for (int chunk = 0; chunk < 10; chunk++) {
                for (int place = 0; place < 50; place++) {
                    NodeAddress address = Chunk.itemAddress(1_000_000 + row, chunk, place);
                    addresses.add(address);
                    hashes.add(address.hashCode());
                }
            }
        }
        assertThat(hashes.size()).isGreaterThan(addresses.size() * 99 / 100);
    }
}
