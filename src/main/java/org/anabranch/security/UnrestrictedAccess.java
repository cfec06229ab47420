package org.anabranch.security;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;

record UnrestrictedAccess(Principal caller) implements Access {

    @Override
    public boolean isUnrestricted() {
        return true;
    }

    @Override
    public boolean readsEverything() {
        return true;
    }

    @Override
    public boolean allows(Question question) {
        return true;
    }

    @Override
    public VisibleKeys visible(Set<Check> checks, String reference) {
        return VisibleKeys.ALL;
    }

    @Override
    public RefusedException hidden(RefusedException absent, Collection<Question> questions) {
        return absent;
    }

    @Override
    public void require(Collection<Question> questions, List<String> unnamed) {}
}
