#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs `./dev test` as a newcomer would: in a clone of the last commit whose folder has the name
# that people give to folders, with an empty home and none of the caller's settings.
#
#   fresh_machine.sh FOLDER             the clone is made in FOLDER
#   fresh_machine.sh --minimal FOLDER   the same inside a Debian 12 of essential packages alone,
#                                       which is made in FOLDER: `./dev` has to install the rest
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name="a long näme with späces, as people call the folders of their projects"

# asNewcomer HOME COMMAND...: of the caller's environment there are only the programs and, so that
# a second run takes minutes, the compiler's cache.
asNewcomer() {
    env -i PATH="$PATH" HOME="$1" ${CCACHE_DIR:+CCACHE_DIR="$CCACHE_DIR"} "${@:2}" </dev/null
}

# Where this machine gets Debian's packages from.
packageSources() {
    local file
    for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
        if [[ -s $file ]]; then
            echo "$file"
            return
        fi
    done
    echo "fresh_machine: no list of Debian's packages in /etc/apt" >&2
    exit 1
}

testClone() {
    mkdir -p "$1/$name" "$1/empty home"
    git clone --quiet --no-hardlinks "$source" "$1/$name/flopsmith"
    asNewcomer "$1/empty home" "$1/$name/flopsmith/dev" test
}

# testMinimal FOLDER: made with the caller's rights, entered with root's.
testMinimal() {
    local asRoot=()
    if [[ $(id -u) -ne 0 ]]; then
        asRoot=(sudo)
    fi
    "${asRoot[@]}" rm -rf "$1"
    mkdir -p "$1"
    "${asRoot[@]}" mmdebstrap --quiet --variant=minbase bookworm "$1/root" "$(packageSources)"
    git clone --quiet --no-hardlinks "$source" "$1/clone"
    "${asRoot[@]}" unshare --mount --propagation private "${BASH_SOURCE[0]}" --inside "$1"
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
    asNewcomer "/empty home" chroot "$root" "/root/$name/flopsmith/dev" test
}

case ${1:-} in
    --minimal) testMinimal "${2:?--minimal needs a folder}" ;;
    --inside) testInside "$2" ;;
    '' | -*) echo "usage: fresh_machine.sh [--minimal] FOLDER" >&2 && exit 2 ;;
    *) testClone "$1" ;;
esac
