# SPDX-License-Identifier: GPL-3.0-or-later
# `./dev test` and its lanes: sourced by ./dev, which has say(), fail(), needPackages() and
# buildTargets(). What each lane is for stands in tests/README.md.
# shellcheck shell=bash

# In the order in which `./dev test all` runs them.
lanes=(inter display eigen processors kills corpora headers cuda)

# runTests FOLDER LABEL JOBS [REGEX]: the tests that have this label, or none if it is empty.
# REGEX: of the test programs only tests whose "Suite.Name" matches, of other tests their name.
runTests() {
    local folder=$1 label=$2 jobs=$3 regex=${4:-} selection=()
    rm -f "$folder"/test_reports/*.txt
    if [[ -n $label ]]; then
        selection+=(-L "^$label\$")
    else
        selection+=(-LE '.+')
    fi
    if [[ -n $regex ]]; then
        export FLOPSMITH_TEST_REGEX=$regex
        selection+=(-R "^test_.*of[0-9]+\$|$regex")
    fi
    local status=0
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$jobs" "${selection[@]}" \
        >"$folder/test_reports/ctest.log" 2>&1 || status=$?
    reportTests "$folder/test_reports" "$status" || status=$?
    return "$status"
}

# reportTests FOLDER STATUS: what failed with all it said, then one line of sums and what was skipped.
reportTests() {
    local folder=$1 status=$2
    if ((status != 0)); then
        sed -e '/^Internal ctest changing/d' -e '/ Passed  /d' -e '/^ *Start /d' "$folder/ctest.log"
    fi
    local reports=("$folder"/*of*.txt)
    if [[ -e ${reports[0]} ]]; then
        awk -f tests/sum_reports.awk "${reports[@]}"
    fi
}

lane_inter() {
    buildTargets release test_ui test_window
    runTests build/release inter "$(nproc)"
}

lane_display() {
    needPackages "${displayPackages[@]}"
    buildTargets release test_ui test_window
    startDisplay 1920x1080
    runTests build/release display 1
}

lane_eigen() {
    buildTargets release test_cpu_eigen
    runTests build/release eigen "$(nproc)"
}

lane_processors() {
    buildTargets release processor_tests
    runTests build/release processors "$(nproc)"
}

lane_kills() {
    buildTargets release test_programs
    runTests build/release kills "$(nproc)"
}

lane_corpora() {
    buildTargets release test_files
    runTests build/release corpora "$(nproc)"
}

lane_headers() {
    buildTargets release header_check
}

# Compiled for GPUs and linked, and run in the emulation. The toolkit is no package of Debian's main
# archive, so that it is not installed here.
lane_cuda() {
    if ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
        say "cuda: skipped, there is no CUDA toolkit (its compiler nvcc) on this machine"
        return 0
    fi
    local status=0
    extraOptions=(-DFLOPSMITH_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=75-virtual)
    buildTargets release cuda_tests && runTests build/release cuda "$(nproc)" || status=$?
    extraOptions=()
    return "$status"
}

# runLane NAME: says how long it took; an unknown name is an error.
runLane() {
    local begin=$SECONDS
    say "lane $1"
    "lane_$1" || fail "lane $1: failed after $(inMinutes $((SECONDS - begin)))"
    say "lane $1: green after $(inMinutes $((SECONDS - begin)))"
}

isLane() {
    local lane
    for lane in "${lanes[@]}"; do
        [[ $lane != "$1" ]] || return 0
    done
    return 1
}
