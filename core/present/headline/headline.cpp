// SPDX-License-Identifier: MIT
#include "core/present/headline/headline.h"

#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/budget/roofline.h"
#include "core/lens/cost_summary.h"
#include "core/model/operation.h"
#include "core/present/time/run_time.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr const char* kNoFigure = "\xE2\x80\x93"; // –
constexpr const char* kFewer = "\xE2\x88\x92";
constexpr const char* kAtLeast = "\xE2\x89\xA5 ";
constexpr const char* kNotSettled = "\xE2\x89\x88 ";

bool isTraining(const Scenario& scenario)
{
    return scenario.workload.phase == Phase::train;
}

/// The least time of one pass on a device, and what bounds it.
LowerBound leastTime(const Scenario& scenario,
                     const CostTree<Count>& tree,
                     LensId lens,
                     const Hardware* hardware)
{
    if (hardware == nullptr) {
        return {};
    }
    const Precision& precision = scenario.workload.precision;
    const Result<HardwarePeak> on = hardwarePeak(*hardware, precision);
    if (!on) {
        return {};
    }
    return lowerBoundOf(tree, precision, on->peaks(), lens);
}

// Whether states are all that is kept of earlier tokens. A source that is cached is none.
bool keepsStateAlone(const Scenario& scenario, const CostSummary& cost)
{
    const Count states = stateBytes(scenario);
    return cost.kvCacheBytesPerToken == 0 && states > 0 && states == cacheBytes(scenario);
}

Count memoryOf(const Scenario& scenario, const CostSummary& cost)
{
    if (isTraining(scenario)) {
        return memory(scenario).total();
    }
    return keepsStateAlone(scenario, cost) ? cacheBytes(scenario) : cost.kvCacheBytesPerToken;
}

/// The measured time of all parts together.
struct MeasuredTotal
{
    PartsMeasured parts{};
    double seconds = 0.0;
    double madSeconds = 0.0;
    bool isSettled = true;
    std::int64_t newest = 0; ///< of the times that come out of the store; 0: none does
};

MeasuredTotal totalOf(std::span<const MeasuredPart> parts, std::span<const PartTime> times)
{
    MeasuredTotal total{.parts = partsMeasured(parts, times)};
    for (std::size_t i = 0; i < std::min(parts.size(), times.size()); ++i) {
        const PartTime& time = times[i];
        if (parts[i].addsToTotal() && time.hasTime()) {
            total.seconds += time.medianSeconds * parts[i].uses;
            total.madSeconds += time.madSeconds * parts[i].uses;
            total.isSettled = total.isSettled && time.state == PartState::settled;
            total.newest = std::max(total.newest, time.storedAt.value_or(0));
        }
    }
    return total;
}

std::string passText(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const auto tokens = groupedDigits(Count{workload.batch} * scenario.queryTokens());
    switch (workload.phase) {
    case Phase::prefill: return "one pass of " + tokens + " tokens";
    case Phase::train: return "one training step of " + tokens + " tokens";
    case Phase::decode: break;
    }
    return (workload.batch > 1
                ? "a token in each of " + groupedDigits(workload.batch) + " sequences"
                : "one token")
        + ", context " + groupedDigits(scenario.keys());
}

void setDuration(HeadlineFigure& figure, const char* sign, double seconds)
{
    const std::string text = durationText(seconds);
    const std::size_t space = text.rfind(' ');
    figure.figure = sign + text.substr(0, space);
    figure.unit = text.substr(space + 1);
}

void setBytes(HeadlineFigure& figure, Count bytes, const std::string& of)
{
    const std::string text = bytesText(toDouble(bytes));
    const std::size_t space = text.rfind(' ');
    figure.figure = text.substr(0, space);
    figure.unit = text.substr(space + 1) + of;
    figure.exact = groupedDigits(bytes) + " bytes" + of;
}

/// Makes the figures of one design, each compared with a baseline.
class HeadlineMaker
{
public:
    explicit HeadlineMaker(const HeadlineSource& source)
        : m_source(source)
        , m_cost(summary(source.tree, source.scenario, source.lens))
    {
        if (const ComparedDesign* baseline = source.baseline;
            baseline != nullptr && baseline->tree != nullptr) {
            m_baseline = summary(*baseline->tree, baseline->scenario, source.lens);
            m_isSamePass = isSamePass(source.scenario.workload, baseline->scenario.workload);
        }
    }

    HeadlineFigure cost() const
    {
        const Lens& lens = flopsmith::lens(m_source.lens);
        HeadlineFigure shown{.kind = HeadlineKind::cost, .figure = kNoFigure};
        if (!m_cost.flops) {
            shown.caption = "no training step by " + std::string(lens.title);
            shown.exact = "This lens defines no training step; choose another one.";
            return shown;
        }
        const ShortNumber number = shortNumber(toDouble(*m_cost.flops));
        shown.figure = number.figure;
        shown.unit = number.prefix + std::string(lens.unit);
        shown.caption = passText(m_source.scenario) + ", " + std::string(lens.title);
        shown.exact = groupedDigits(*m_cost.flops) + " " + std::string(lens.unit);
        if (m_isSamePass && m_baseline->flops) {
            compare(shown, toDouble(*m_cost.flops), toDouble(*m_baseline->flops));
        }
        return shown;
    }

    HeadlineFigure parameters() const
    {
        const double all = toDouble(m_cost.parameters);
        const ShortNumber number = shortParameters(all);
        HeadlineFigure shown{
            .kind = HeadlineKind::parameters,
            .figure = number.figure,
            .unit = (number.prefix.empty() ? "" : number.prefix + " ") + "parameters",
            .caption = bytesText(toDouble(m_cost.weightBytes)) + " in " + weightsText()};
        if (m_cost.activeParameters < m_cost.parameters && hasExperts()) {
            shown.caption += ", " + parametersText(toDouble(m_cost.activeParameters)) + " active";
        }
        shown.exact = groupedDigits(m_cost.parameters) + " parameters";
        if (m_baseline) {
            compare(shown, all, toDouble(m_baseline->parameters));
        }
        return shown;
    }

    HeadlineFigure memory() const
    {
        const Scenario& scenario = m_source.scenario;
        const Count bytes = memoryOf(scenario, m_cost);
        HeadlineFigure shown{.kind = HeadlineKind::memory};
        const bool isState = keepsStateAlone(scenario, m_cost);
        setBytes(shown, bytes, isTraining(scenario) ? "" : isState ? " of state" : " per token");
        shown.caption = isTraining(scenario) ? "memory of a training step" : cacheText();
        if (m_isSamePass && keepsStateAlone(m_source.baseline->scenario, *m_baseline) == isState) {
            compare(shown,
                    toDouble(bytes),
                    toDouble(memoryOf(m_source.baseline->scenario, *m_baseline)));
        }
        return shown;
    }

    HeadlineFigure leastTime() const
    {
        HeadlineFigure shown{.kind = HeadlineKind::leastTime, .figure = kNoFigure};
        const LowerBound bound = boundOf(m_source.scenario, m_source.tree);
        if (bound.seconds <= 0.0) {
            shown.caption = "its roofs are not measured yet";
            return shown;
        }
        setDuration(shown, kAtLeast, bound.seconds);
        shown.caption = std::string(enumName(bound.binding)) + "-bound";
        shown.exact = "at least " + durationText(bound.seconds) + ", bound by "
            + std::string(enumName(bound.binding));
        if (m_isSamePass) {
            const ComparedDesign& baseline = *m_source.baseline;
            compare(shown, bound.seconds, boundOf(baseline.scenario, *baseline.tree).seconds);
        }
        return shown;
    }

    HeadlineFigure measuredTime() const
    {
        HeadlineFigure shown{.kind = HeadlineKind::measuredTime, .figure = kNoFigure};
        const MeasuredTotal total = totalOf(m_source.parts, m_source.times);
        if (total.parts.isComplete()) {
            setDuration(shown, total.isSettled ? "" : kNotSettled, total.seconds);
            shown.caption = total.newest > 0 ? "stored " + dateText(total.newest) : "measured";
            shown.caption += ", \xC2\xB1 " + percentText(total.madSeconds / total.seconds);
            shown.exact = "Sum over all parts of median time \xC3\x97 uses: "
                + durationText(total.seconds) + " \xC2\xB1 " + durationText(total.madSeconds);
            compareTimes(shown, total.seconds);
        } else if (const std::string failed = failedPartsText(m_source.parts, m_source.times);
                   !failed.empty()) {
            shown.caption = failed;
            shown.exact = failed;
        } else {
            shown.caption =
                total.parts.timed > 0 ? total.parts.text() + " measured" : "not measured";
        }
        return shown;
    }

private:
    LowerBound boundOf(const Scenario& scenario, const CostTree<Count>& tree) const
    {
        return flopsmith::leastTime(scenario, tree, m_source.lens, m_source.hardware);
    }

    bool hasExperts() const
    {
        const std::vector<BlockRun>& runs = m_source.scenario.model.runs;
        return std::any_of(runs.begin(), runs.end(), [](const BlockRun& run) {
            return holds_alternative<MoeFfn>(run.block.ffn);
        });
    }

    std::string weightsText() const
    {
        const Precision& precision = m_source.scenario.workload.precision;
        return precision.hasOneFormat() ? std::to_string(precision.weightBits) + " bit"
                                        : "mixed precision";
    }

    std::string cacheText() const
    {
        const Scenario& scenario = m_source.scenario;
        const Count all = cacheBytes(scenario);
        if (all == 0) {
            return "nothing is cached";
        }
        if (keepsStateAlone(scenario, m_cost)) {
            return "the same at every length";
        }
        const int batch = scenario.workload.batch;
        return "cache, " + bytesText(toDouble(all)) + " at "
            + (batch > 1 ? groupedDigits(batch) + " \xC3\x97 " : "")
            + groupedDigits(scenario.keys());
    }

    void compareTimes(HeadlineFigure& shown, double seconds) const
    {
        if (m_isSamePass && m_source.baseline->measured && m_source.baseline->measured->time) {
            compare(shown, seconds, m_source.baseline->measured->time->seconds);
        }
    }

    static void compare(HeadlineFigure& shown, double value, double baseline)
    {
        shown.difference = differenceText(value, baseline);
        if (!shown.difference.empty()) {
            shown.change = value < baseline ? Change::less : Change::more;
        }
    }

    const HeadlineSource& m_source;
    CostSummary m_cost;
    std::optional<CostSummary> m_baseline;
    bool m_isSamePass = false;
};

} // namespace

template <>
std::vector<std::string_view> enumNames<HeadlineKind>()
{
    return {"cost", "parameters", "cache", "least", "measured"};
}

std::vector<HeadlineFigure> headline(const HeadlineSource& source)
{
    const HeadlineMaker maker(source);
    return {
        maker.cost(), maker.parameters(), maker.memory(), maker.leastTime(), maker.measuredTime()};
}

std::string differenceText(double value, double baseline)
{
    if (!(value > 0.0) || !(baseline > 0.0) || value == baseline) {
        return "";
    }
    constexpr double kAsFactor = 10.0;
    if (value >= kAsFactor * baseline) {
        return ratioText(value / baseline);
    }
    const double percent = 100.0 * std::abs(value / baseline - 1.0);
    const int digits = percent < 0.95 ? 2 : percent < 9.5 ? 1 : 0;
    return (value < baseline ? kFewer : "+") + fixedText(percent, digits) + " %";
}

} // namespace flopsmith
