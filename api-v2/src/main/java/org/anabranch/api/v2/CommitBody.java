package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.Checks;
import org.anabranch.model.Operation;

/** Body of a commit. */
public record CommitBody(CommitMetaInput commitMeta, List<Operation> operations) {

    public CommitBody {
        Checks.required("commitMeta", commitMeta);
        operations = Fields.atLeastOne("operations", operations);
    }
}
