// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/count/by_component.h"
#include "core/present/time/run_time.h"
#include "core/present/time/share.h"

#include <algorithm>

namespace flopsmith {
namespace {

/// The state of measuring the parts that add up to the pass.
struct PartsProgress
{
    PartsMeasured measured{};
    int unsettled = 0;
    bool running = false;
};

class TimeShares
{
public:
    TimeShares(std::span<const MeasuredPart> parts, std::span<const PartTime> times)
        : m_parts(parts)
        , m_times(times)
    {
        m_progress.measured = partsMeasured(parts, times);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            note(i);
            if (m_parts[i].addsToTotal() && timeOf(i).hasTime()) {
                addWhole(i);
                addRange(i);
            }
        }
    }

    const ByComponent<double>& seconds() const { return m_seconds; }
    const PartsProgress& progress() const { return m_progress; }
    bool sharesOut() const { return m_sharesOut; }
    bool isComplete() const { return m_progress.measured.isComplete(); }

    // "4.10 ms to 6.50 ms": the range of repeated measurements, if it is not a single number.
    std::string rangeText() const
    {
        constexpr double kOneNumber = 1.05;
        return m_highest > kOneNumber * m_lowest
            ? durationText(m_lowest) + " to " + durationText(m_highest)
            : "";
    }

    // A stage without a time is missing in its own slice and too much in the slice of the whole.
    bool isMissingPartOf(const Component& component) const
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const MeasuredPart& part = m_parts[i];
            const bool isWhole = part.partOf >= 0
                && isSame(*m_parts[static_cast<std::size_t>(part.partOf)].component, component);
            if (!timeOf(i).hasTime() && (isWhole || isSame(*part.component, component))) {
                return true;
            }
        }
        return false;
    }

    // Share of the ring for the parts that add to the whole and have no time: by their lower
    // bounds, or by their number if one of them has no lower bound.
    double missingShare(const std::optional<MachineRoofs>& roofs, const RoofConditions& as) const
    {
        double missing = 0.0;
        int count = 0;
        int all = 0;
        bool bounded = roofs.has_value();
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            all += m_parts[i].addsToTotal() ? 1 : 0;
            if (m_parts[i].addsToTotal() && !timeOf(i).hasTime()) {
                const double minSeconds = bounded ? lowerBoundSeconds(m_parts[i], as, *roofs) : 0.0;
                bounded = bounded && minSeconds > 0.0;
                missing += minSeconds;
                ++count;
            }
        }
        const double byNumber = all > 0 ? static_cast<double>(count) / all : 0.0;
        return bounded && count > 0 ? missing / (missing + m_seconds.sum()) : byNumber;
    }

private:
    PartTime timeOf(std::size_t i) const { return i < m_times.size() ? m_times[i] : PartTime{}; }

    double secondsOfAllUses(std::size_t i) const
    {
        const PartTime time = timeOf(i);
        return time.hasTime() ? time.medianSeconds * m_parts[i].uses : 0.0;
    }

    void note(std::size_t i)
    {
        const PartTime time = timeOf(i);
        const bool underway = time.state == PartState::running || time.state == PartState::queued;
        const bool rough = time.hasTime() && time.state == PartState::notSettled;
        m_progress.unsettled += rough && m_parts[i].addsToTotal() ? 1 : 0;
        m_progress.running = m_progress.running || underway;
    }

    void addWhole(std::size_t whole)
    {
        const double seconds = secondsOfAllUses(whole);
        double alone = 0.0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            alone += isStageOf(i, whole) ? secondsOfAllUses(i) : 0.0;
        }
        const double scale = alone > seconds ? seconds / alone : 1.0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const double own = secondsOfAllUses(i);
            if (isStageOf(i, whole) && own > 0.0) {
                m_seconds.add(*m_parts[i].component, own * scale);
                m_sharesOut = true;
            }
        }
        m_seconds.add(*m_parts[whole].component, std::max(0.0, seconds - alone));
    }

    void addRange(std::size_t i)
    {
        const PartTime time = timeOf(i);
        const bool repeated = time.highestSeconds > 0.0;
        m_lowest += m_parts[i].uses * (repeated ? time.lowestSeconds : time.medianSeconds);
        m_highest += m_parts[i].uses * (repeated ? time.highestSeconds : time.medianSeconds);
    }

    bool isStageOf(std::size_t i, std::size_t whole) const
    {
        return m_parts[i].partOf == static_cast<int>(whole);
    }

    std::span<const MeasuredPart> m_parts;
    std::span<const PartTime> m_times;
    ByComponent<double> m_seconds;
    PartsProgress m_progress;
    bool m_sharesOut = false;
    double m_lowest = 0.0;
    double m_highest = 0.0;
};

void appendSentence(std::string& note, const std::string& sentence)
{
    note += (note.empty() || sentence.empty() ? "" : "; ") + sentence;
}

std::string partsText(int count)
{
    return std::to_string(count) + (count == 1 ? " part" : " parts");
}

std::string timeNote(const TimeShares& shares)
{
    const PartsProgress& progress = shares.progress();
    std::string note = shares.isComplete() ? "" : durationText(shares.seconds().sum()) + " so far";
    if (progress.measured.failed > 0) {
        appendSentence(note, partsText(progress.measured.failed) + " failed");
    }
    if (progress.unsettled > 0) {
        appendSentence(note, partsText(progress.unsettled) + " not settled");
    }
    if (shares.sharesOut()) {
        appendSentence(note, "stages as timed alone");
    }
    return note;
}

std::string emptyTextOf(const PartsProgress& progress)
{
    return progress.running            ? "Measuring \xE2\x80\xA6"
        : progress.measured.failed > 0 ? "Could not be measured"
                                       : "Not measured yet";
}

Slice sliceOf(const Component& component, double seconds, double ring, bool isPart)
{
    return {.component = &component,
            .title = std::string(component.title),
            .value = seconds,
            .share = seconds / ring,
            .isPart = isPart,
            .valueText = durationText(seconds),
            .exactText = numberText(seconds) + " s"};
}

void addFigure(Donut& donut, const TimeShares& shares)
{
    const std::string text =
        shares.isComplete() ? durationText(donut.total) : shares.progress().measured.text();
    const std::size_t space = text.rfind(' ');
    if (!shares.isComplete()) {
        donut.figure = text.substr(0, space);
        donut.unit = text.substr(space + 1);
        return;
    }
    donut.figure = (shares.progress().unsettled > 0 ? "\xE2\x89\x88 " : "") + text.substr(0, space);
    donut.unit = text.substr(space + 1);
    donut.rangeText = shares.rangeText();
}

} // namespace

Donut timeDonut(std::span<const MeasuredPart> parts,
                std::span<const PartTime> times,
                const std::string& device,
                const std::optional<MachineRoofs>& roofs,
                const RoofConditions& as)
{
    const TimeShares shares(parts, times);
    Donut donut{.origin = Origin::measured, .key = "seconds", .title = "measured, " + device};
    donut.failure = failedPartsText(parts, times);
    donut.emptyText = emptyTextOf(shares.progress());
    donut.total = shares.seconds().sum();
    donut.isComplete = shares.isComplete();
    constexpr double kMaxMissing = 0.999; // of a ring that has a time: that stays visible
    donut.missingShare = donut.isComplete ? 0.0 : shares.missingShare(roofs, as);
    if (donut.total > 0.0) {
        donut.missingShare = std::min(donut.missingShare, kMaxMissing);
    }
    const double ring = donut.total / (1.0 - donut.missingShare);
    for (const auto& entry : shares.seconds().entries()) {
        if (entry.amount > 0.0) {
            const bool isPart = shares.isMissingPartOf(*entry.component);
            donut.slices.push_back(sliceOf(*entry.component, entry.amount, ring, isPart));
        }
    }
    addFigure(donut, shares);
    if (!donut.empty()) {
        donut.note = timeNote(shares);
    } else if (shares.progress().measured.failed > 0) {
        donut.note = partsText(shares.progress().measured.failed) + " failed";
    }
    return donut;
}

} // namespace flopsmith
