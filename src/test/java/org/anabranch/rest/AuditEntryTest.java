package org.anabranch.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.anabranch.model.ContentKey;
import org.anabranch.rest.AuditEntry.Request;
import org.junit.jupiter.api.Test;

/** What a record calls what callers named. */
class AuditEntryTest {

    /** Whoever changes a table cannot make it look like another one. */
    @Test
    void keysWithDotsInTheirElementsAreToldFromOthers() {
        Request request = new Request("i", "r", "ann", List.of(), "commit", "", List.of(), 0, "", "", "")
                .of("main", List.of(ContentKey.of("sales", "orders"), ContentKey.of("sales.orders")));

        assertThat(request.keys()).containsExactly("sales.orders", ".sales*.orders");
    }
}
