#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs `./dev test` as a newcomer would: in a clone of the last commit whose folder has the name
# that people give to folders, with an empty home and none of the caller's settings.
#
#   fresh_machine.sh FOLDER [LANE]            the clone is made in FOLDER; then a lane of the tests
#   fresh_machine.sh --minimal FOLDER SUITE   the same inside a Debian (bookworm, trixie) of essential
#                                             packages alone, which is made in FOLDER: `./dev` has to
#                                             install the rest
# FLOPSMITH_TEST_OPTIONS: options for ./dev, such as --werror.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name="a long näme with späces, as people call the folders of their projects"
read -ra options <<<"${FLOPSMITH_TEST_OPTIONS:-}"

# asNewcomer HOME COMMAND...: of the caller's environment there are only the programs and, so that
# a second run takes minutes, the compiler's cache.
asNewcomer() {
    env -i PATH="$PATH" HOME="$1" ${CCACHE_DIR:+CCACHE_DIR="$CCACHE_DIR"} "${@:2}" </dev/null
}

# sources SUITE: a list of packages for mmdebstrap, from where this machine gets Debian's packages.
sources() {
    local mirror
    mirror=$(sed -n -e 's/^URIs: *\([^ ]*\/debian\/\{0,1\}\) *$/\1/p' \
        -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\/debian\/\{0,1\}\) .*/\2/p' \
        /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
    if [[ -z $mirror ]]; then
        echo "fresh_machine: no list of Debian's packages in /etc/apt" >&2
        exit 1
    fi
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main"
}

testClone() {
    mkdir -p "$1/$name" "$1/empty home"
    git clone --quiet --no-hardlinks "$source" "$1/$name/flopsmith"
    asNewcomer "$1/empty home" "$1/$name/flopsmith/dev" test "${options[@]}"
    if [[ -n ${2:-} ]]; then
        asNewcomer "$1/empty home" "$1/$name/flopsmith/dev" test "$2" "${options[@]}"
    fi
}

# testMinimal FOLDER SUITE: made with the caller's rights, entered with root's.
testMinimal() {
    local asRoot=()
    if [[ $(id -u) -ne 0 ]]; then
        asRoot=(sudo)
    fi
    "${asRoot[@]}" rm -rf "$1"
    mkdir -p "$1"
    sources "$2" >"$1/packages.list"
    "${asRoot[@]}" mmdebstrap --quiet --variant=minbase "$2" "$1/root" "$1/packages.list"
    git clone --quiet --no-hardlinks "$source" "$1/clone"
    "${asRoot[@]}" unshare --mount --propagation private \
        env FLOPSMITH_TEST_OPTIONS="${FLOPSMITH_TEST_OPTIONS:-}" "${BASH_SOURCE[0]}" --inside "$1"
}

# Mounts are this process's own and end with it.
testInside() {
    local root=$1/root kernel
    mkdir -p "$root/root/$name" "$root/empty home"
    mv "$1/clone" "$root/root/$name/flopsmith"
    for kernel in proc sys dev; do
        mount --rbind "/$kernel" "$root/$kernel"
    done
    unset CCACHE_DIR
    asNewcomer "/empty home" chroot "$root" "/root/$name/flopsmith/dev" test "${options[@]}"
}

case ${1:-} in
    --minimal) testMinimal "${2:?--minimal needs a folder}" "${3:?--minimal needs bookworm or trixie}" ;;
    --inside) testInside "$2" ;;
    '' | -*) echo "usage: fresh_machine.sh [--minimal] FOLDER [LANE|SUITE]" >&2 && exit 2 ;;
    *) testClone "$1" "${2:-}" ;;
esac
