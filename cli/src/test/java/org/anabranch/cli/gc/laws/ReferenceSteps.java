package org.anabranch.cli.gc.laws;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.projectnessie.error.BaseNessieClientServerException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.Detached;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.MergeBehavior;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Reference.ReferenceType;
import org.projectnessie.model.Tag;

/** Random moves of branches and tags, merges and transplants. Each returns what it did, for people. */
final class ReferenceSteps {

    private static final int MAX_BRANCHES = 5;
    private static final int MAX_TAGS = 4;

    private final LakeClient lake;
    private final Random random;
    private final Revival revival;
    private final List<String> hashes = new ArrayList<>();
    private int names;

    ReferenceSteps(LakeClient lake, Random random, Revival revival) {
        this.lake = lake;
        this.random = random;
        this.revival = revival;
    }

    /** Remembers where all references are now; later steps may go back there. */
    void remember() throws BaseNessieClientServerException {
        for (Reference reference : lake.references()) {
            if (!hashes.contains(reference.getHash())) {
                hashes.add(reference.getHash());
            }
        }
    }

    /** Any branch. */
    String anyBranch() throws BaseNessieClientServerException {
        return any(lake.names(ReferenceType.BRANCH));
    }

    String createBranch() throws BaseNessieClientServerException {
        if (lake.names(ReferenceType.BRANCH).size() >= MAX_BRANCHES) {
            return deleteBranch();
        }
        String name = "branch" + ++names;
        String hash = random.nextBoolean() ? lake.reference(anyBranch()).getHash() : any(hashes);
        Branch branch = Branch.of(name, hash);
        if (!revival.isWhole(branch)) {
            return "no branch where files are gone";
        }
        create(branch);
        return "create branch " + name + " at " + hash;
    }

    String createTag() throws BaseNessieClientServerException {
        if (lake.names(ReferenceType.TAG).size() >= MAX_TAGS) {
            return delete(lake.reference(any(lake.names(ReferenceType.TAG))));
        }
        String name = "tag" + ++names;
        String hash = random.nextBoolean() ? lake.reference(anyBranch()).getHash() : any(hashes);
        Tag tag = Tag.of(name, hash);
        if (!revival.isWhole(tag)) {
            return "no tag where files are gone";
        }
        create(tag);
        return "create tag " + name + " at " + hash;
    }

    String deleteBranch() throws BaseNessieClientServerException {
        List<String> branches = new ArrayList<>(lake.names(ReferenceType.BRANCH));
        branches.remove("main");
        return branches.isEmpty() ? "no branch to delete" : delete(lake.reference(any(branches)));
    }

    /** Moves a branch or tag to where some reference is or once was. */
    String assign() throws BaseNessieClientServerException {
        Reference moved = any(lake.references());
        String hash = any(hashes);
        Reference after = moved instanceof Tag ? Tag.of(moved.getName(), hash) : Branch.of(moved.getName(), hash);
        if (!revival.isWhole(after)) {
            return "no assignment to where files are gone";
        }
        lake.api()
                .assignReference()
                .reference(moved)
                .assignTo(Detached.of(hash))
                .assign();
        return "assign " + moved.getName() + " from " + moved.getHash() + " to " + hash;
    }

    String merge() throws BaseNessieClientServerException {
        Branch target = (Branch) lake.reference(anyBranch());
        Branch source = anyBranchBeside(target);
        MergeBehavior mode = any(List.of(MergeBehavior.NORMAL, MergeBehavior.FORCE));
        String what = "merge " + source.getName() + " into " + target.getName() + ", " + mode;
        try {
            lake.api()
                    .mergeRefIntoBranch()
                    .branch(target)
                    .fromRef(source)
                    .defaultMergeMode(mode)
                    .merge();
            return what;
        } catch (BaseNessieClientServerException | RuntimeException refused) {
            return what + ": " + refused.getMessage();
        }
    }

    /** Replays the last commit of one branch on another. */
    String transplant() throws BaseNessieClientServerException {
        Branch target = (Branch) lake.reference(anyBranch());
        Branch source = anyBranchBeside(target);
        List<LogEntry> log =
                lake.api().getCommitLog().reference(source).maxRecords(1).get().getLogEntries();
        String what = "transplant the head of " + source.getName() + " to " + target.getName();
        try {
            lake.api()
                    .transplantCommitsIntoBranch()
                    .branch(target)
                    .fromRefName(source.getName())
                    .hashesToTransplant(List.of(log.getFirst().getCommitMeta().getHash()))
                    .transplant();
            return what;
        } catch (BaseNessieClientServerException | RuntimeException refused) {
            return what + ": " + refused.getMessage();
        }
    }

    /** The branch itself if there is no other. */
    private Branch anyBranchBeside(Branch branch) throws BaseNessieClientServerException {
        List<String> others = lake.names(ReferenceType.BRANCH);
        if (others.size() > 1) {
            others.remove(branch.getName());
        }
        return (Branch) lake.reference(any(others));
    }

    private void create(Reference reference) throws BaseNessieClientServerException {
        lake.api().createReference().sourceRefName("main").reference(reference).create();
    }

    private String delete(Reference reference) throws BaseNessieClientServerException {
        lake.api().deleteReference().reference(reference).delete();
        return "delete " + reference.getName() + " at " + reference.getHash();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
