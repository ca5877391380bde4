package dev.weir.testkit.tidy;

/** The rules, each with the remedy for a finding. */
enum Rule {
    FILE_LENGTH("split it by topic"),
    METHOD_LENGTH("name its parts and make them methods"),
    PARAMETERS("find the missing noun and make it a record"),
    TYPE_NAME("name it for what it is; the package gives the context"),
    REPEATED_NAME("give one of the two classes another name: one simple name means one class"),
    PACKAGE_NAME("name it for its topic"),
    PACKAGE_INFO("every package has a package-info.java with @NullMarked and a comment of one sentence"),
    OPEN_SWITCH("name the cases instead, so that a new one breaks the build"),
    TEST_NAME("make it a sentence in snake_case: what is true, and when"),
    SLEEP("wait for what is expected, or use a clock that the test moves"),
    MARKER("do it now, or write it where work is planned"),
    MACHINE_PATH("use a path from the repository, or a temporary folder"),
    REGISTRY_HOST("leave it to each machine's own settings where libraries come from"),
    BROKEN_LINK("link to a file of the repository, from the folder of the page"),
    STALE_NAME("name what is there now"),
    UNREADABLE("make it valid Java");

    private final String remedy;

    Rule(String remedy) {
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
