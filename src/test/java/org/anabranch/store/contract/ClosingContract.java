package org.anabranch.store.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.anabranch.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;

/** What stores do that do not work once they are closed; to be nested into the test of one. */
public abstract class ClosingContract extends ContractPart {

    protected ClosingContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void aClosedStoreSaysSo() {
        store().close();

        assertThatThrownBy(() -> store().reference("main"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("The store is closed");
        assertThatThrownBy(() -> store().numbers(1))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("The store is closed");
    }
}
