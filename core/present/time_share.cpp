// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/count/by_component.h"
#include "core/present/share.h"

#include <algorithm>

namespace flopsmith {
namespace {

double secondsOfAllUses(const MeasuredPart& part, const PartTime& time)
{
    return time.hasTime() ? time.medianSeconds * part.uses : 0.0;
}

/// How far a measuring of all parts is.
struct Progress
{
    int timed = 0;
    int failed = 0;
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
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            note(timeOf(i));
            if (m_parts[i].addsToTotal() && timeOf(i).hasTime()) {
                addWhole(i);
            }
        }
    }

    const ByComponent<double>& seconds() const { return m_seconds; }
    const Progress& progress() const { return m_progress; }
    bool sharesOut() const { return m_sharesOut; }

private:
    PartTime timeOf(std::size_t i) const { return i < m_times.size() ? m_times[i] : PartTime{}; }

    void note(const PartTime& time)
    {
        m_progress.timed += time.hasTime() ? 1 : 0;
        m_progress.failed += time.state == PartState::failed ? 1 : 0;
        m_progress.unsettled += time.state == PartState::notSettled ? 1 : 0;
        m_progress.running = m_progress.running || time.state == PartState::running;
    }

    void addWhole(std::size_t whole)
    {
        const double seconds = secondsOfAllUses(m_parts[whole], timeOf(whole));
        double alone = 0.0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            alone += isStageOf(i, whole) ? secondsOfAllUses(m_parts[i], timeOf(i)) : 0.0;
        }
        const double scale = alone > seconds ? seconds / alone : 1.0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const double own = secondsOfAllUses(m_parts[i], timeOf(i));
            if (isStageOf(i, whole) && own > 0.0) {
                m_seconds.add(*m_parts[i].component, own * scale);
                m_sharesOut = true;
            }
        }
        m_seconds.add(*m_parts[whole].component, std::max(0.0, seconds - alone));
    }

    bool isStageOf(std::size_t i, std::size_t whole) const
    {
        return m_parts[i].partOf == static_cast<int>(whole);
    }

    std::span<const MeasuredPart> m_parts;
    std::span<const PartTime> m_times;
    ByComponent<double> m_seconds;
    Progress m_progress;
    bool m_sharesOut = false;
};

void append(std::string& note, const std::string& sentence)
{
    note += (note.empty() ? "" : "; ") + sentence;
}

std::string partsText(int count)
{
    return std::to_string(count) + (count == 1 ? " part" : " parts");
}

std::string timeNote(const TimeShares& shares, std::size_t parts)
{
    const Progress& progress = shares.progress();
    std::string note;
    if (progress.timed + progress.failed < static_cast<int>(parts)) {
        append(note,
               "so far " + std::to_string(progress.timed) + " of " + std::to_string(parts)
                   + " parts");
    }
    if (progress.failed > 0) {
        append(note, partsText(progress.failed) + " failed");
    }
    if (progress.unsettled > 0) {
        append(note, partsText(progress.unsettled) + " not settled");
    }
    if (shares.sharesOut()) {
        append(note, "stages as timed alone");
    }
    return note;
}

} // namespace

Donut timeDonut(std::span<const MeasuredPart> parts,
                std::span<const PartTime> times,
                const std::string& device)
{
    const TimeShares shares(parts, times);
    Donut donut{.origin = Origin::measured, .key = "seconds", .title = "measured, " + device};
    donut.emptyText = shares.progress().running ? "Measuring \xE2\x80\xA6" : "Not measured yet";
    donut.total = shares.seconds().sum();
    for (const auto& entry : shares.seconds().entries()) {
        if (entry.amount > 0.0) {
            donut.slices.push_back({.component = entry.component,
                                    .title = std::string(entry.component->title),
                                    .value = entry.amount,
                                    .share = entry.amount / donut.total,
                                    .valueText = durationText(entry.amount),
                                    .exactText = numberText(entry.amount) + " s"});
        }
    }
    const std::string text = durationText(donut.total);
    const std::size_t space = text.find(' ');
    donut.figure = text.substr(0, space);
    donut.unit = text.substr(space + 1);
    if (!donut.empty()) {
        donut.note = timeNote(shares, parts.size());
    } else if (shares.progress().failed > 0) {
        donut.note = partsText(shares.progress().failed) + " failed";
    }
    return donut;
}

} // namespace flopsmith
