# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f cmake/build_weights.awk build/release/.ninja_log >cmake/build_weights.txt
# after a build from nothing on an idle machine: milliseconds of a step of each target.
BEGIN { FS = "\t"; print "# Milliseconds of a step of each target, by cmake/build_weights.awk." }
/^#/ || $4 ~ /^\// { next }
{
    target = $4
    if (target ~ /_autogen/) {
        if (target !~ /timestamp$/) next
        target = "moc"
    } else if (target ~ /\.dir\//) {
        sub(/\.dir\/.*/, ".dir", target)
    }
    sum[target] += $2 - $1
    ++steps[target]
}
END {
    for (target in sum) {
        printf "%s %d\n", target, sum[target] / steps[target] | "LC_ALL=C sort"
    }
}
