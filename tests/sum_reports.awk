# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f tests/sum_reports.awk REPORT...: adds up what the processes of a run of tests report
# (tests/support/test_report.h) and names what did not end, what was skipped, and what was slow.
function finish() {
    if (running != "") {
        broken[++brokenCount] = running " did not end: its process crashed or was killed" order
    }
    running = ""
}
FNR == 1 {
    finish()
    order = ""
}
$1 == "seed" { order = ", with --gtest_random_seed=" $2 }
$1 == "begin" { running = $2 }
$1 == "skip" {
    name = $2
    sub(/^skip [^ ]+ */, "")
    if (!($0 in skipped)) {
        reasons[++reasonCount] = $0
        example[$0] = name
    }
    ++skipped[$0]
}
$1 == "end" {
    running = ""
    ++tests
    ++outcome[$3]
    seconds += $4 / 1000
    assertions += $5
    if ($3 == "failed") {
        broken[++brokenCount] = $2 " failed" order
    }
    if ($4 > slowest) {
        slowest = $4
        slowestName = $2
    }
}
END {
    finish()
    for (i = 1; i <= reasonCount; ++i) {
        reason = reasons[i]
        printf "dev: skipped %d (%s%s): %s\n", skipped[reason], example[reason], \
            (skipped[reason] > 1 ? ", …" : ""), reason
    }
    for (i = 1; i <= brokenCount; ++i) {
        printf "dev: %s\n", broken[i]
    }
    printf "dev: %d tests with %d assertions: %d passed, %d failed, %d skipped; %d s, the slowest %.1f s (%s)\n", \
        tests, assertions, outcome["passed"], outcome["failed"], outcome["skipped"], seconds, \
        slowest / 1000, slowestName
    exit brokenCount > 0 || tests == 0
}
