// SPDX-License-Identifier: MIT
#include "core/present/inside/inside_times.h"

#include "core/base/text.h"
#include "core/model/tree_path.h"
#include "core/present/time/run_time.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

bool isMeasuredAt(const MeasuredPart& part, std::string_view path)
{
    return part.path == path
        || std::find(part.elsewhere.begin(), part.elsewhere.end(), path) != part.elsewhere.end();
}

/// Walks through the steps of a picture.
class TimeGiver
{
public:
    TimeGiver(int repeat, std::span<const MeasuredPart> parts, std::span<const PartTime> times)
        : m_repeat(repeat)
        , m_parts(parts)
        , m_times(times)
    {}

    void give(InsideStep& step)
    {
        const std::string_view path = withoutPass(step.path);
        const auto found =
            std::find_if(m_parts.begin(), m_parts.end(), [path](const MeasuredPart& part) {
                return !path.empty() && isMeasuredAt(part, path);
            });
        if (found != m_parts.end()) {
            const auto place = static_cast<std::size_t>(found - m_parts.begin());
            const PartTime time = place < m_times.size() ? m_times[place] : PartTime{};
            step.time = timeOf(time);
            m_shownParts.push_back(*found);
            m_shownTimes.push_back(time);
            ++m_all;
            m_timed += step.time.seconds > 0.0 ? 1 : 0;
        }
        for (InsideStep& inner : step.steps) {
            give(inner);
        }
    }

    // "2 of 6 parts measured"
    std::string progress() const
    {
        return m_timed == 0 ? std::string("not measured")
            : m_timed == m_all
            ? std::string("measured")
            : std::to_string(m_timed) + " of " + std::to_string(m_all) + " parts measured";
    }

    // "; failed: Dense ×12: There is no kernel for Dense yet …", or empty
    std::string failure() const
    {
        const std::string failed = failedPartsText(m_shownParts, m_shownTimes);
        return failed.empty() ? "" : "; " + failed;
    }

private:
    InsideTime timeOf(const PartTime& time) const
    {
        if (!time.hasTime()) {
            const bool failed = time.state == PartState::failed;
            return {.text = partStateText(time), .reason = failed ? time.sentence : ""};
        }
        const double seconds = time.medianSeconds * m_repeat;
        const bool rough = time.state == PartState::notSettled;
        return {.seconds = seconds, .text = (rough ? "\xE2\x89\x88 " : "") + durationText(seconds)};
    }

    int m_repeat;
    std::span<const MeasuredPart> m_parts;
    std::span<const PartTime> m_times;
    std::vector<MeasuredPart> m_shownParts; ///< the parts in the picture, and
    std::vector<PartTime> m_shownTimes; ///< parallel to them
    int m_all = 0;
    int m_timed = 0;
};

} // namespace

void addTimes(InsidePicture& picture,
              std::span<const MeasuredPart> parts,
              std::span<const PartTime> times)
{
    TimeGiver giver(picture.repeat, parts, times);
    for (InsideStage& stage : picture.stages) {
        giver.give(stage.body);
        giver.give(stage.add);
    }
    picture.timeNote = "time of the forward pass, "
        + (picture.repeat == 1 ? std::string("this block")
                               : "all " + std::to_string(picture.repeat) + " blocks together")
        + ": " + giver.progress() + giver.failure();
}

} // namespace flopsmith
