// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace flopsmith::ui::test {

/// A shell script in place of flopsmith-train, with the same numbers each time: a run of 4 steps whose
/// losses fall, an evaluation of its last step, and the end.
inline std::vector<std::string> workerThatLearns()
{
    return {"/bin/sh", "-c", R"script(
read -r job
value() { printf '%s' "$job" | sed "s/.*\"$1\":\"*\([^,\"}]*\).*/\1/"; }
run=$(value number); arm=$(value arm); seed=$(value seed); rate=$(value rate); tuning=$(value tuning)
case "$job" in *'"timed_steps":'[1-9]*)
  echo "{\"timed\":\"$arm\",\"steps\":50,\"step_seconds\":0.1,\"step_flops\":100}"
  echo '{"ended":"complete"}'
  exit;;
esac
echo "{\"run\":$run,\"start\":4,\"arm\":\"$arm\",\"seed\":$seed,\"rate\":$rate,\"tuning\":$tuning,\"parameters\":9}"
echo '{"progress":4,"of":4,"loss":1.5}'
echo "{\"run\":$run,\"steps\":4,\"losses\":[4,3,2,1],\"gradient_norms\":[1,0.5,0.25,0.125]}"
echo "{\"run\":$run,\"at\":4,\"parts\":[\"head\",\"blocks[0]/ffn\"],\"gradient_norms\":[0.1,0.01]}"
echo "{\"run\":$run,\"evaluated\":4,\"flops\":400,\"seconds\":0.5,\"loss\":1.25,\"score\":1.2$seed}"
echo "{\"run\":$run,\"end\":\"steps\",\"at\":4}"
echo '{"ended":"complete"}'
)script"};
}

/// The same, but all its runs diverge.
inline std::vector<std::string> workerThatDiverges()
{
    std::vector<std::string> worker = workerThatLearns();
    const std::string end = R"("end\":\"steps)";
    worker[2].replace(worker[2].find(end), end.size(), R"("end\":\"diverged)");
    return worker;
}

/// The same as workerThatLearns(), but it times steps until it is stopped.
inline std::vector<std::string> workerThatTimes()
{
    std::vector<std::string> worker = workerThatLearns();
    worker[2].insert(worker[2].find(R"(  echo "{\"timed)"), "  read -r line\n");
    return worker;
}

/// It takes a step for each line "step", and says it is saved at "stop".
inline std::vector<std::string> workerThatWaits()
{
    return {"/bin/sh", "-c", R"script(
read -r job
value() { printf '%s' "$job" | sed "s/.*\"$1\":\"*\([^,\"}]*\).*/\1/"; }
run=$(value number); arm=$(value arm); seed=$(value seed); rate=$(value rate); tuning=$(value tuning)
echo "{\"run\":$run,\"start\":9,\"arm\":\"$arm\",\"seed\":$seed,\"rate\":$rate,\"tuning\":$tuning,\"parameters\":9}"
step=0
while read -r line; do
  case "$line" in
    step) step=$((step + 1))
      echo "{\"run\":$run,\"steps\":$step,\"losses\":[$((9 - step))],\"gradient_norms\":[1]}"
      echo "{\"progress\":$step,\"of\":9,\"loss\":1}";;
    stop) break;;
  esac
done
echo '{"ended":"stopped"}'
)script"};
}

/// It is half through its run, and stays there until it is stopped.
inline std::vector<std::string> workerHalfThrough()
{
    return {"/bin/sh", "-c", R"script(
read -r job
value() { printf '%s' "$job" | sed "s/.*\"$1\":\"*\([^,\"}]*\).*/\1/"; }
run=$(value number); arm=$(value arm); seed=$(value seed); rate=$(value rate); tuning=$(value tuning)
echo "{\"run\":$run,\"start\":4,\"arm\":\"$arm\",\"seed\":$seed,\"rate\":$rate,\"tuning\":$tuning,\"parameters\":9}"
echo '{"progress":2,"of":4,"loss":1.5}'
while read -r line; do
  case "$line" in stop) break;; esac
done
echo '{"ended":"stopped"}'
)script"};
}

} // namespace flopsmith::ui::test
