// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/fast_engine.h"
#include "core/lab/plan/arms.h"
#include "core/lab/task/learner.h"
#include "core/measure/clock.h"
#include "core/measure/samples.h"
#include "core/model/operation.h"
#include "core/protocol/measuring/measuring.h"
#include "core/train/batch_loss.h"
#include "tests/bench/tables/report.h"
#include "tests/bench/tables/torch_steps.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A training step of the models that labs train, beside PyTorch's of the exported program with the
// same weights and batches, in turns; and what the passes of a model take against the sum of its
// parts measured one by one.
namespace flopsmith::bench {
namespace {

constexpr int kBatches = 4;
constexpr double kShortestTurn = 0.05; // seconds
constexpr double kMaxApart = 0.10; // of executed seconds and the sum of parts

struct Preset
{
    const char* name;
    GrammarTask task;
    double budget; ///< PyTorch's time over ours
};

const std::vector<Preset>& presets()
{
    static const std::vector<Preset> kPresets{{"nano", {}, 1.5}, {"micro", {.sequence = 128}, 1.0}};
    return kPresets;
}

/// A model with its batches, ready to be trained on either side.
struct Case
{
    torch::Training training;
    TrainingStart start;
};

Result<Case> caseOf(const Preset& preset, const FfnSpec& ffn)
{
    const LabSizes sizes = sizesNamed(preset.name).value();
    const auto task = makeTask(preset.task, sizes.dModel, 1);
    if (!task) {
        return task.error();
    }
    const Scenario scenario = labScenario((*task)->shape(), sizes, ffn);
    Result<ModelPlan> plan = planOf(scenario);
    if (!plan) {
        return plan.error();
    }
    Case made{.training = {.scenario = scenario,
                           .plan = std::move(*plan),
                           .settings = {.rate = 1e-4, .schedule = {.steps = 1'000'000}},
                           .until = kBatches},
              .start = {}};
    made.start = trainingStart(made.training.plan, 1);
    made.training.recipes = made.start.recipes;
    made.training.state.weights = made.start.weights;
    for (int step = 1; step <= kBatches; ++step) {
        made.training.batches.push_back((*task)->training(step));
    }
    return made;
}

/// Steps of a case by the CPU kernels.
class OurSteps
{
public:
    OurSteps(const Case& each, int threads)
        : m_batches(each.training.batches)
        , m_trainer(each.start,
                    fastEngine(cpu::Threads{threads}).model(each.training.plan),
                    each.training.settings)
    {}

    /// Seconds of so many steps.
    Result<double> take(int steps)
    {
        const double began = m_now();
        for (int i = 0; i < steps; ++i) {
            const auto report = m_trainer.step(m_batches[m_next++ % m_batches.size()]);
            if (!report) {
                return report.error();
            }
        }
        return m_now() - began;
    }

private:
    const std::vector<TrainingBatch<float>>& m_batches;
    Trainer<float> m_trainer;
    std::size_t m_next = 0;
    Clock m_now = steadyClock();
};

struct StepTimes
{
    Samples ours; ///< seconds of a step
    Samples theirs;
    Samples ratios; ///< theirs over ours, turn by turn
};

// The first turns warm up and say how many steps a turn takes.
template <class Side>
Result<int> stepsPerTurn(Side& side)
{
    const Result<double> first = side.take(2);
    const Result<double> one = first ? side.take(1) : first;
    if (!one) {
        return one.error();
    }
    return std::clamp(static_cast<int>(std::ceil(kShortestTurn / *one)), 1, 64);
}

Result<StepTimes> timedSteps(OurSteps& ours, TorchSteps* theirs, double seconds)
{
    const Result<int> mine = stepsPerTurn(ours);
    const Result<int> other = theirs != nullptr ? stepsPerTurn(*theirs) : Result<int>(0);
    if (!mine || !other) {
        return mine ? other.error() : mine.error();
    }
    StepTimes times;
    const Clock now = steadyClock();
    const double end = now() + seconds;
    while (times.ours.count() < 5 || now() < end) {
        const Result<double> here = ours.take(*mine);
        const Result<double> there = theirs != nullptr ? theirs->take(*other) : Result<double>(0.0);
        if (!here || !there) {
            return here ? there.error() : here.error();
        }
        times.ours.add(*here / *mine);
        if (theirs != nullptr) {
            times.theirs.add(*there / *other);
            times.ratios.add((*there / *other) / (*here / *mine));
        }
    }
    return times;
}

class Lab
{
public:
    Lab(const Options& options, Report& report)
        : m_options(options)
        , m_report(report)
    {
        auto peer = TorchSteps::start(options.python.empty() ? "python3" : options.python);
        if (peer) {
            m_peer.emplace(std::move(*peer));
            report.fact("torch", m_peer->version());
        } else {
            report.note("without PyTorch: " + peer.error().message);
        }
    }

    void run()
    {
        m_report.table("training_steps",
                       "A training step of a lab's model (grammar, batch 32), beside PyTorch",
                       {{"arm", "arm", Figure::text},
                        {"preset", "preset", Figure::text},
                        {"threads", "threads", Figure::whole},
                        {"ours", "a step", Figure::seconds},
                        {"theirs", "PyTorch", Figure::seconds},
                        {"ratio", "median ratio", Figure::ratio},
                        {"budget", "budget", Figure::ratio}});
        forEach([this](const Preset& preset, const ArmName& arm, const Case& each) {
            for (const int threads : m_options.threadCounts()) {
                printStep(preset, arm, each, threads);
            }
        });
        m_report.table("sum_of_parts",
                       "Forward and backward pass on one thread, against the sum of parts "
                       "measured one by one",
                       {{"arm", "arm", Figure::text},
                        {"preset", "preset", Figure::text},
                        {"executed", "executed", Figure::seconds},
                        {"parts", "sum of parts", Figure::seconds},
                        {"apart", "apart", Figure::percent},
                        {"within", "within 10 %", Figure::text}});
        forEach([this](const Preset& preset, const ArmName& arm, const Case& each) {
            printSum(preset, arm, each);
        });
    }

private:
    template <class Visit>
    void forEach(Visit visit)
    {
        for (const Preset& preset : presets()) {
            const int dModel = sizesNamed(preset.name)->dModel;
            for (const ArmName& arm : armNames()) {
                const bool isAsked = m_options.only.empty()
                    || std::string(arm.name).find(m_options.only) != std::string::npos;
                if (!isAsked || !m_options.includes(dModel, 0)) {
                    continue;
                }
                const Result<FfnSpec> ffn = armNamed(arm.name, dModel);
                const Result<Case> each = ffn ? caseOf(preset, *ffn) : ffn.error();
                if (each) {
                    visit(preset, arm, *each);
                } else {
                    m_report.note(std::string(arm.name) + ": " + each.error().message);
                }
            }
            if (m_options.quick) {
                return; // nano alone
            }
        }
    }

    void printStep(const Preset& preset, const ArmName& arm, const Case& each, int threads)
    {
        TorchSteps* peer = m_peer ? &*m_peer : nullptr;
        if (peer != nullptr) {
            if (const Status loaded = peer->load(each.training, threads); !loaded) {
                m_report.note(std::string(arm.name)
                              + ": not beside PyTorch: " + loaded.error().message);
                peer = nullptr;
            }
        }
        OurSteps ours(each, threads);
        const Result<StepTimes> times = timedSteps(ours, peer, 10.0 * m_options.seconds);
        if (!times) {
            m_report.note(std::string(arm.name) + ": " + times.error().message);
            return;
        }
        std::vector<Cell> cells{std::string(arm.name),
                                std::string(preset.name),
                                std::int64_t{threads},
                                times->ours.median(),
                                Cell(),
                                Cell(),
                                preset.budget};
        if (!times->theirs.empty()) {
            cells[4] = times->theirs.median();
            cells[5] = times->ratios.median();
        }
        m_report.row(cells);
    }

    // Seconds of a forward and a backward pass of the whole model.
    double executedSeconds(const Case& each) const
    {
        const Weights<float> weights = each.start.weightsAs<float>();
        const auto executor = fastEngine(cpu::Threads{1}).model(each.training.plan)(weights);
        const TrainingBatch<float>& batch = each.training.batches.front();
        const Clock now = steadyClock();
        Samples samples;
        const double end = now() + 10.0 * m_options.seconds;
        for (int run = 0; samples.count() < 5 || now() < end; ++run) {
            const double began = now();
            const auto outputs = executor->forward(batch.inputs, Keep::forBackward);
            const double between = now();
            const auto loss = batchLoss<float>(*outputs, batch.targets); // is none of the parts
            const double after = now();
            const auto gradients = executor->backward(loss->dOutputs);
            if (gradients && run > 0) { // the first one prepares the kernels
                samples.add(between - began + now() - after);
            }
        }
        return samples.median();
    }

    // Nothing if a part cannot be measured.
    std::optional<double> sumOfParts(const Case& each) const
    {
        double sum = 0.0;
        for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
            const std::vector<MeasuredPart> parts = measuredParts(each.training.scenario, pass);
            DeviceSession session(ownDevices().front());
            KnownResults known;
            const MeasuringOutcome outcome = measureParts(
                session,
                parts,
                {.budgetSeconds = 5.0 * m_options.seconds * static_cast<double>(parts.size()),
                 .threads = 1,
                 .peaks = WithPeaks::no},
                {},
                known,
                {});
            for (std::size_t i = 0; i < parts.size(); ++i) {
                if (!parts[i].addsToTotal()) {
                    continue;
                }
                if (i >= outcome.parts.size() || !outcome.parts[i].measured) {
                    return std::nullopt;
                }
                sum += outcome.parts[i].measured->medianSeconds * parts[i].uses;
            }
        }
        return sum;
    }

    void printSum(const Preset& preset, const ArmName& arm, const Case& each)
    {
        const double executed = executedSeconds(each);
        const std::optional<double> parts = sumOfParts(each);
        if (!parts) {
            m_report.note(std::string(arm.name) + ": not all parts could be measured");
            return;
        }
        const double apart = executed / *parts - 1.0;
        m_report.row({std::string(arm.name),
                      std::string(preset.name),
                      executed,
                      *parts,
                      apart,
                      std::string(std::abs(apart) <= kMaxApart ? "yes" : "NO")});
    }

    const Options& m_options;
    Report& m_report;
    std::optional<TorchSteps> m_peer;
};

void run(const Options& options, Report& report)
{
    Lab(options, report).run();
}

} // namespace
} // namespace flopsmith::bench

int main(int count, char** arguments)
{
    return flopsmith::bench::benchMain(count, arguments, "lab", flopsmith::bench::run);
}
