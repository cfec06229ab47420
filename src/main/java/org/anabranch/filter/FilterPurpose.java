package org.anabranch.filter;

/** What an expression is for, which is what its refusals call it. */
enum FilterPurpose {
    /** Of a request. */
    FILTER("Filter", ", or raise anabranch.limits.filter-steps"),
    /** Of a rule. */
    CONDITION("Condition", "");

    private final String noun;
    private final String otherThanFewerSteps;

    FilterPurpose(String noun, String otherThanFewerSteps) {
        this.noun = noun;
        this.otherThanFewerSteps = otherThanFewerSteps;
    }

    String noun() {
        return noun;
    }

    /** What else can be done about too many steps. */
    String otherThanFewerSteps() {
        return otherThanFewerSteps;
    }
}
