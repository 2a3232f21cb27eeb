# SPDX-License-Identifier: GPL-3.0-or-later
# How far a build is, told by time and not by the count of steps: sourced by ./dev.
#
# What a step takes is known from this folder's last build (Ninja's log); where there was none, from
# cmake/build_weights.txt, which has seconds for each step of a target.
# shellcheck shell=bash

declare -A stepMilliseconds targetMilliseconds

# targetOf OUTPUT, into the variable target: "core/CMakeFiles/flopsmith_io.dir" of an object file in it,
# or what is linked.
targetOf() {
    target=${1%% *}
    [[ $target != *.dir/* ]] || target=${target%%.dir/*}.dir
    [[ $target != *_autogen* ]] || target=moc
}

# readStepTimes FOLDER
readStepTimes() {
    local target time begin end output
    stepMilliseconds=() targetMilliseconds=()
    while read -r target time; do
        [[ $target == \#* ]] || targetMilliseconds[$target]=$time
    done <cmake/build_weights.txt
    [[ -e $1/.ninja_log ]] || return 0
    while IFS=$'\t' read -r begin end _ output _; do
        [[ $begin == \#* ]] || stepMilliseconds[$output]=$((end - begin))
    done <"$1/.ninja_log"
}

# millisecondsOf DESCRIPTION, into the variable milliseconds: of what Ninja says that it does.
millisecondsOf() {
    local target output=${1##* }
    milliseconds=${stepMilliseconds[$output]:-}
    [[ -z $milliseconds ]] || return 0
    targetOf "$output"
    milliseconds=${targetMilliseconds[$target]:-500}
}

# placeOf DESCRIPTION, into the variable place: the folder of a source or the name of a program.
placeOf() {
    place=${1##* }
    if [[ $place == *.dir/*/* ]]; then
        local inside=${place#*.dir/} target=${place%%.dir/*}
        place=${target%%/CMakeFiles/*}/${inside%/*}
        place=${place#*/header_check/}
        if [[ $place == */Unity ]]; then
            place=${target##*/}
            place=${place#flopsmith_}
        fi
    fi
}

inMinutes() {
    if (($1 < 60)); then
        echo "$1 s"
    else
        echo "$(($1 / 60)) min $(($1 % 60)) s"
    fi
}

# The rest in words that do not claim more than is known.
aboutLeft() {
    if (($1 < 45)); then
        echo "less than a minute left"
    else
        echo "about $((($1 + 30) / 60)) min left"
    fi
}

# showProgress FOLDER JOBS [FILE]: reads what Ninja prints. Of its steps one line is shown, every
# half minute a new one where the output is no terminal. All else goes through. FILE is kept up to
# date with the seconds that are left, for those who wait for a program.
showProgress() {
    local folder=$1 jobs=$2 file=${3:-} line text milliseconds place=''
    local total=0 done=0 begin=$SECONDS shown=-30 open=no width left status
    width=$(($(tput cols 2>/dev/null || echo 80) - 1))
    readStepTimes "$folder"
    while true; do
        status=0
        IFS= read -r -t 10 line || status=$?
        if ((status == 1)); then
            break
        elif ((status > 1)); then
            line='' # nothing for ten seconds
        elif [[ $line == *"Re-checking globbed"* || $line == "ninja: Entering"* ]]; then
            continue
        elif [[ $line == "plan "* ]]; then # what is to be done, from a run that does nothing
            millisecondsOf "$line"
            total=$((total + milliseconds))
            continue
        elif [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (.*)$ ]]; then
            millisecondsOf "${BASH_REMATCH[1]}"
            done=$((done + milliseconds))
            placeOf "${BASH_REMATCH[1]}"
        else
            [[ $open == no ]] || printf '\n'
            open=no
            printf '%s\n' "$line"
            continue
        fi
        # The pace so far counts more and more against that of the machine the weights are from.
        local elapsed=$((SECONDS - begin)) expected
        ((total >= done)) || total=$done
        expected=$(((total - done) / 1000 / jobs))
        left=$((expected * (elapsed + 30) / (done / 1000 / jobs + 30)))
        [[ -z $file ]] || printf '%s\n' "$left" >"$file"
        ((total > 0)) || continue
        text="dev: $((100 * done / total)) % built, $(aboutLeft "$left")${place:+ ($place)}"
        if [[ -t 1 ]]; then
            printf '\r\033[K%s' "${text:0:width}"
            open=yes
        elif ((SECONDS - begin - shown >= 30)); then
            shown=$((SECONDS - begin))
            printf '%s\n' "$text"
        fi
    done
    [[ $open == no ]] || printf '\r\033[K'
}
