// SPDX-License-Identifier: MIT
#include "core/present/time/run_time_ghosts.h"

#include "core/base/text.h"
#include "core/present/base/design_marks.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace flopsmith {
namespace {

// "blocks/ffn" for "blocks[6]/ffn/spectral".
std::string slotOf(const std::string& path)
{
    std::string slot;
    bool isIndex = false;
    int segments = 1;
    for (const char c : path) {
        segments += c == '/' ? 1 : 0;
        if (segments > 2) {
            break;
        }
        isIndex = c == '[' || (isIndex && c != ']');
        if (!isIndex && c != ']') {
            slot += c;
        }
    }
    return slot;
}

std::string joined(const std::string& names, const std::string& name)
{
    return names.empty() ? name : names + ", " + name;
}

/// The parts of one design; each belongs to at most one row.
class PartsBeside
{
public:
    PartsBeside(std::span<const RunTimeRow> rows, const DesignTimes& measured)
        : m_measured(measured)
        , m_taken(measured.parts.size(), false)
        , m_partOf(rows.size())
    {
        match(rows, true);
        match(rows, false);
    }

    /// Over all uses of the row's counterpart; 0 without a time.
    double secondsBeside(std::size_t row) const
    {
        return m_partOf[row] ? seconds(*m_partOf[row]) : 0.0;
    }

    bool isBeside(std::size_t row) const { return m_partOf[row].has_value(); }

    double total() const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < m_measured.parts.size(); ++i) {
            sum += counts(i) ? seconds(i) : 0.0;
        }
        return sum;
    }

    int timed() const
    {
        int count = 0;
        for (std::size_t i = 0; i < m_measured.parts.size(); ++i) {
            count += counts(i) && seconds(i) > 0.0 ? 1 : 0;
        }
        return count;
    }

    int all() const
    {
        return static_cast<int>(std::count_if(
            m_measured.parts.begin(), m_measured.parts.end(), [](const MeasuredPart& part) {
                return part.addsToTotal();
            }));
    }

    /// Over the parts without a row.
    double restSeconds() const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < m_measured.parts.size(); ++i) {
            sum += counts(i) && !m_taken[i] ? seconds(i) : 0.0;
        }
        return sum;
    }

private:
    bool counts(std::size_t part) const { return m_measured.parts[part].addsToTotal(); }

    double seconds(std::size_t part) const
    {
        const PartTime time = part < m_measured.times.size() ? m_measured.times[part] : PartTime{};
        return time.hasTime() ? time.medianSeconds * m_measured.parts[part].uses : 0.0;
    }

    void match(std::span<const RunTimeRow> rows, bool sameTitle)
    {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row].isStage && !m_partOf[row]) {
                m_partOf[row] = next(rows[row], sameTitle);
            }
        }
    }

    std::optional<std::size_t> next(const RunTimeRow& row, bool sameTitle)
    {
        const std::string slot = slotOf(row.path);
        for (std::size_t i = 0; i < m_measured.parts.size(); ++i) {
            const MeasuredPart& part = m_measured.parts[i];
            const bool fits = counts(i) && !m_taken[i] && slotOf(part.path) == slot;
            if (fits && (!sameTitle || part.title == row.title)) {
                m_taken[i] = true;
                return i;
            }
        }
        return std::nullopt;
    }

    const DesignTimes& m_measured;
    std::vector<bool> m_taken;
    std::vector<std::optional<std::size_t>> m_partOf; ///< parallel to the rows
};

// "614 ms, 0.51×": the design's total, and its ratio to the scenario's if both are known.
std::string totalText(const RunTimeTable& table, const PartsBeside& beside)
{
    if (beside.timed() == 0) {
        return "not measured";
    }
    if (beside.timed() < beside.all()) {
        return std::to_string(beside.timed()) + " of " + std::to_string(beside.all()) + " parts";
    }
    std::string text = durationText(beside.total());
    if (table.isTotalKnown() && table.total.seconds > 0.0) {
        text += ", " + ratioText(beside.total() / table.total.seconds);
    }
    return text;
}

std::string ghostText(const PartsBeside& beside, std::size_t row)
{
    const double seconds = beside.secondsBeside(row);
    if (beside.all() > 0 && !beside.isBeside(row)) {
        return "no such part";
    }
    return seconds > 0.0 ? durationText(seconds) : "not measured";
}

void addDesign(RunTimeTable& table, const RunTimeDesign& design, const DesignTimes& measured)
{
    const PartsBeside beside(table.rows, measured);
    RunTimeDesign shown = design;
    shown.totalText = totalText(table, beside);
    const bool complete = beside.all() > 0 && beside.timed() == beside.all();
    shown.totalSeconds = complete ? beside.total() : 0.0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (table.rows[row].isStage) {
            continue;
        }
        table.rows[row].ghosts.push_back(
            {.seconds = beside.secondsBeside(row), .text = ghostText(beside, row)});
    }
    if (beside.timed() > 0) {
        table.emptyText.clear(); // bars of others are worth a look
    }
    if (beside.restSeconds() > 0.0) {
        table.note += "\nbeside no bar: " + durationText(beside.restSeconds()) + " of "
            + design.title + ", in parts that this design has not";
    }
    table.others.push_back(std::move(shown));
}

} // namespace

void addGhosts(RunTimeTable& table,
               const std::string& device,
               std::span<const ComparedDesign> designs,
               std::span<const DesignTimes> times)
{
    std::string missing;
    std::string elsewhere;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        DesignTimes measured = i < times.size() ? times[i] : DesignTimes{.device = device};
        const bool hasTime = std::any_of(measured.times.begin(),
                                         measured.times.end(),
                                         [](const PartTime& time) { return time.hasTime(); });
        if (!hasTime) {
            missing = joined(missing, designs[i].name);
        } else if (measured.device != device) {
            elsewhere = joined(elsewhere, designs[i].name + " on " + measured.device);
            measured.times.clear();
        }
        addDesign(table, {.mark = &designMark(designs[i], i), .title = designs[i].name}, measured);
    }
    if (!missing.empty()) {
        table.note += "\nnot measured on " + device + ": " + missing;
    }
    if (!elsewhere.empty()) {
        table.note += "\nmeasured on another device and not compared: " + elsewhere;
    }
}

} // namespace flopsmith
