// SPDX-License-Identifier: MIT
#include "core/study/machine/part_shares.h"

#include "core/base/field.h"
#include "core/base/text.h"
#include "core/count/lens.h"
#include "core/ffn/moe.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<ShareReason>()
{
    return {"as_counted",
            "fast",
            "launch",
            "bandwidth",
            "small_shapes",
            "products",
            "transforms",
            "elementwise",
            "moves",
            "unmeasured"};
}

namespace {

constexpr ShareThresholds kLimits = kShareThresholds;
constexpr double kMoreThanCaches = std::numeric_limits<double>::infinity();

/// One use of a part, in numbers.
struct Work
{
    double seconds = 0.0;
    double flops = 0.0;
    double products = 0.0; ///< of the FLOPs, 2 per multiply-add
    double transforms = 0.0; ///< of the FLOPs, nominal
    double bytes = 0.0;
    double steps = 0.0; ///< consecutive operations, each a launch
    double rows = 0.0; ///< of a product: tokens, or the tokens of one expert
};

double rowsOf(const Operation& operation)
{
    const double tokens = static_cast<double>(operation.batch) * operation.sequence;
    const auto* ffn = std::get_if<FfnSpec>(&operation.what);
    const auto* experts = ffn != nullptr ? get_if<MoeFfn>(ffn) : nullptr;
    return experts != nullptr ? tokens * experts->perToken / std::max(experts->experts, 1) : tokens;
}

Work workOf(const Operation& operation, double seconds, const Precision& precision)
{
    const CostTree<Count> tree = costTree(operation);
    const Cost<Count> cost = tree.total();
    double steps = 0.0;
    for (int i = 0; i < tree.size(); ++i) {
        steps += tree.node(i).kind != OpKind::group ? toDouble(tree.timesUsed(i)) : 0.0;
    }
    return {.seconds = seconds,
            .flops = toDouble(priced(LensId::exact, cost.count)),
            .products = toDouble(priced(LensId::matmul, cost.count)),
            .transforms = toDouble(cost.count.fft),
            .bytes = toDouble(bytes(cost.traffic, precision).total()),
            .steps = steps,
            .rows = rowsOf(operation)};
}

std::string rowsText(double rows)
{
    return rows == 1.0 ? "1 row" : siText(rows) + " rows";
}

/// Finds the reason of one part. `wholeRate` is the FLOP/s of the whole pass.
class Judge
{
public:
    Judge(const Work& work, const MachineRoofs& roofs, const RoofConditions& as, double wholeRate)
        : m_work(work)
        , m_roofs(roofs)
        , m_level(roofs.levelHolding(as.coldCaches ? kMoreThanCaches : work.bytes))
        , m_peaks(roofs.peaks(as.format))
        , m_wholeRate(wholeRate)
    {}

    void judge(PartShare& part) const
    {
        if (std::abs(part.difference()) < kLimits.sameShare) {
            part.reason = ShareReason::asCounted;
            return;
        }
        if (part.difference() < 0.0) {
            part.reason = ShareReason::fast;
            part.sentence = "runs at " + rateText(rate(), "FLOP/s") + ", " + peakText()
                + ", the whole pass at " + rateText(m_wholeRate, "FLOP/s");
            return;
        }
        explainSlowness(part);
    }

private:
    // The main cause comes before the first comma, because narrow cards cut the sentence there.
    void explainSlowness(PartShare& part) const
    {
        const double launches = m_work.steps * m_roofs.launchSeconds;
        const double moving = m_level != nullptr ? m_work.bytes / m_level->bytesPerSecond : 0.0;
        if (isDominant(launches, m_work.seconds)) {
            part.reason = ShareReason::launch;
            part.sentence = launchText(launches);
        } else if (isDominant(moving, m_work.seconds)) {
            part.reason = ShareReason::bandwidth;
            part.sentence = "moving " + bytesText(m_work.bytes) + " takes "
                + percentText(std::min(1.0, moving / m_work.seconds)) + " of its time, at the "
                + rateText(m_level->bytesPerSecond, "B/s") + " of " + levelText(*m_level);
        } else {
            explainByKind(part);
        }
    }

    std::string launchText(double launches) const
    {
        const std::string empty = durationText(m_roofs.launchSeconds);
        if (m_work.seconds <= m_roofs.launchSeconds) {
            return "takes " + durationText(m_work.seconds) + ", no longer than an empty step ("
                + empty + ")";
        }
        const double share = std::min(1.0, launches / m_work.seconds);
        return siText(m_work.steps) + (m_work.steps == 1.0 ? " step is " : " steps are ")
            + percentText(share) + " of its time, at the " + empty + " of an empty one";
    }

    void explainByKind(PartShare& part) const
    {
        if (m_work.flops <= 0.0) {
            part.reason = ShareReason::moves;
            part.sentence =
                "computes nothing that is counted, looks up or moves " + bytesText(m_work.bytes);
        } else if (isDominant(m_work.products, m_work.flops)) {
            const bool few = m_work.rows < kLimits.fewRows;
            part.reason = few ? ShareReason::smallShapes : ShareReason::products;
            part.sentence = (few ? "its products have " + rowsText(m_work.rows) + ", and reach "
                                 : "its products reach ")
                + peakText();
        } else if (isDominant(m_work.transforms, m_work.flops)) {
            part.reason = ShareReason::transforms;
            part.sentence = percentText(m_work.transforms / m_work.flops)
                + " of its FLOPs are inside Fourier transforms, which reach " + peakText();
        } else {
            part.reason = ShareReason::elementwise;
            part.sentence = percentText(1.0 - m_work.products / m_work.flops)
                + " of its FLOPs are outside products, it reaches " + peakText();
        }
    }

    static bool isDominant(double part, double whole) { return part >= kLimits.dominant * whole; }

    static std::string levelText(const MemoryLevel& level)
    {
        return level.name == "memory" ? "the memory" : level.name;
    }

    double rate() const { return m_work.flops / m_work.seconds; }

    std::string peakText() const
    {
        return m_peaks.flopsPerSecond > 0.0
            ? percentText(rate() / m_peaks.flopsPerSecond) + " of the product peak"
            : rateText(rate(), "FLOP/s");
    }

    const Work& m_work;
    const MachineRoofs& m_roofs;
    const MemoryLevel* m_level; ///< that holds its operands
    Peaks m_peaks;
    double m_wholeRate;
};

PartShare countedPart(const MeasuredPart& part,
                      const Work& work,
                      const MachineRoofs& roofs,
                      const RoofConditions& as)
{
    return {.component = part.component,
            .path = part.path,
            .elsewhere = part.elsewhere,
            .title = part.title,
            .uses = part.uses,
            .flops = part.uses * work.flops,
            .bytes = part.uses * work.bytes,
            .seconds = part.uses * work.seconds,
            .lowerBoundSeconds = part.uses * lowerBound(work.flops, work.bytes, roofs, as).seconds};
}

} // namespace

std::string reasonText(ShareReason reason)
{
    std::string text(enumName(reason));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string differenceText(double difference)
{
    constexpr const char* kMinus = "\xE2\x88\x92";
    return (difference < 0.0 ? kMinus : "+") + percentText(std::abs(difference));
}

std::string shareThresholdsText()
{
    const auto percent = [](double share) { return siText(100.0 * share) + " %"; };
    return "Shares are of the parts that have a time; those that differ by less than "
        + percent(kLimits.sameShare)
        + " of the whole count as the same. A part that takes longer than its FLOPs say is bound "
          "by "
          "launches, or else by bandwidth, when its steps \xC3\x97 the time of an empty step, or "
          "its "
          "bytes \xC3\xB7 the bandwidth of the level that holds them, are at least "
        + percent(kLimits.dominant) + " of its time. Else the kind of work that at least "
        + percent(kLimits.dominant)
        + " of its FLOPs are of is the reason: products (small shapes below "
        + siText(kLimits.fewRows) + " rows), transforms, or element-wise work.";
}

std::vector<PartShare> partShares(std::span<const MeasuredPart> parts,
                                  std::span<const double> seconds,
                                  const MachineRoofs& roofs,
                                  const RoofConditions& as)
{
    std::vector<PartShare> shares;
    std::vector<Work> works;
    double allFlops = 0.0;
    double allSeconds = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].addsToTotal()) {
            continue;
        }
        works.push_back(
            workOf(parts[i].operation, i < seconds.size() ? seconds[i] : 0.0, as.precision()));
        shares.push_back(countedPart(parts[i], works.back(), roofs, as));
        const PartShare& share = shares.back();
        allSeconds += share.seconds;
        allFlops += share.seconds > 0.0 ? share.flops : 0.0;
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
        PartShare& share = shares[i];
        if (share.seconds > 0.0) {
            share.timeShare = share.seconds / allSeconds;
            share.flopShare = allFlops > 0.0 ? share.flops / allFlops : 0.0;
            Judge(works[i], roofs, as, allFlops / allSeconds).judge(share);
        }
    }
    std::stable_sort(shares.begin(), shares.end(), [](const PartShare& a, const PartShare& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    });
    std::stable_partition(
        shares.begin(), shares.end(), [](const PartShare& share) { return share.seconds > 0.0; });
    return shares;
}

} // namespace flopsmith
