// SPDX-License-Identifier: MIT
#include "core/budget/training.h"

#include "core/mixer/mixer_variants.h"
#include "core/model/model_cost.h"

namespace flopsmith {
namespace {

constexpr double kSecondsPerHour = 3'600.0;
constexpr double kPico = 1e-12;

void materialise(MixerSpec& mixer)
{
    visit(
        [](auto& spec) {
            if constexpr (requires { spec.algorithm = AttentionAlgorithm::materialised; }) {
                spec.algorithm = AttentionAlgorithm::materialised;
            }
        },
        mixer);
}

double matmulPerToken(const Scenario& scenario, PairsRule pairs)
{
    const double tokens = static_cast<double>(scenario.workload.batch) * scenario.queryTokens();
    return toDouble(priced(LensId::matmul, costTree(scenario, pairs).total().count)) / tokens;
}

} // namespace

Scenario inTraining(const Scenario& scenario)
{
    Scenario training = scenario;
    training.workload.phase = Phase::train;
    return training;
}

TrainingFlops trainingFlopsPerToken(const Scenario& scenario, PairsRule pairs)
{
    const Scenario executed = inTraining(scenario);
    Scenario once = executed;
    once.workload.checkpointing = Checkpointing::none;
    for (BlockRun& run : once.model.runs) {
        materialise(run.block.mixer);
        materialise(run.block.cross);
    }
    const Count active = activeParameters(costTree(executed), executed.model);
    return {.model = matmulPerToken(once, pairs),
            .hardware = matmulPerToken(executed, pairs),
            .sixTimesParameters = 6.0 * toDouble(active)};
}

double TrainingRun::seconds() const
{
    const double rate = devices * peakFlopsPerSecond * utilisation;
    return rate > 0.0 ? flops() / rate : 0.0;
}

double TrainingRun::tokensPerSecond() const
{
    const double time = seconds();
    return time > 0.0 ? tokens / time : 0.0;
}

double TrainingRun::deviceHours() const
{
    return devices * seconds() / kSecondsPerHour;
}

double joulesOfPower(double watts, double seconds, double devices, double powerUsageEffectiveness)
{
    return watts * seconds * devices * powerUsageEffectiveness;
}

double joulesOfWork(double flops, double bytes, double picojoulesPerFlop, double picojoulesPerByte)
{
    return kPico * (flops * picojoulesPerFlop + bytes * picojoulesPerByte);
}

} // namespace flopsmith
