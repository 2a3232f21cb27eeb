// SPDX-License-Identifier: MIT
#include "core/present/share.h"

#include "core/base/text.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr const char* kNothing = "\xE2\x80\x93";

bool isSame(const Component& a, const Component& b)
{
    return a.id == b.id;
}

/// Amounts by component in the order in which components first occur.
template <class Amount>
class ByComponent
{
public:
    struct Entry
    {
        const Component* component;
        Amount amount;
    };

    void add(const Component& component, const Amount& amount)
    {
        const auto found =
            std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
                return isSame(*entry.component, component);
            });
        if (found == m_entries.end()) {
            m_entries.push_back({&component, amount});
        } else {
            found->amount += amount;
        }
    }

    Amount sum() const
    {
        Amount sum{0};
        for (const Entry& entry : m_entries) {
            sum += entry.amount;
        }
        return sum;
    }

    const std::vector<Entry>& entries() const { return m_entries; }

private:
    std::vector<Entry> m_entries;
};

struct CountWording
{
    std::string (*text)(double value); ///< "80.9 G"
    std::string suffix; ///< "FLOPs": follows a prefix at once
    std::string exactUnit; ///< follows all digits
};

Slice sliceOf(const Component& component, Count count, Count whole, const CountWording& wording)
{
    const double value = toDouble(count);
    return {.component = &component,
            .title = std::string(component.title),
            .value = value,
            .count = count,
            .share = value / toDouble(whole),
            .valueText = wording.text(value) + wording.suffix,
            .exactText = groupedDigits(count) + wording.exactUnit};
}

void fill(Donut& donut, const ByComponent<Count>& counts, const CountWording& wording)
{
    donut.count = counts.sum();
    donut.total = toDouble(donut.count);
    for (const auto& entry : counts.entries()) {
        if (entry.amount > 0) {
            donut.slices.push_back(sliceOf(*entry.component, entry.amount, donut.count, wording));
        }
    }
}

template <class AmountOf>
ByComponent<Count> summed(const CostTree<Count>& tree, AmountOf amountOf)
{
    ByComponent<Count> counts;
    if (tree.size() > 0) {
        tree.forEachOperation(0, [&](const CostTree<Count>::Node& operation, const Count& times) {
            counts.add(*operation.component, times * amountOf(operation));
        });
    }
    return counts;
}

// Components some of whose operations the lens cannot see.
std::string blindNote(const CostTree<Count>& tree, LensId lensId)
{
    std::vector<std::string_view> titles;
    for (const auto& node : tree.nodes()) {
        if (node.kind != OpKind::group && isBlindTo(lensId, node.cost.count)
            && std::find(titles.begin(), titles.end(), node.component->title) == titles.end()) {
            titles.push_back(node.component->title);
        }
    }
    std::string note;
    for (const std::string_view title : titles) {
        note += (note.empty() ? "uncounted operations in: " : ", ") + std::string(title);
    }
    return note;
}

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
        append(note, "stages as timed alone, the rest is gates and sums");
    }
    return note;
}

// Splits "1.43 s" and "96.2 M" at the space.
void setFigure(Donut& donut, const std::string& text)
{
    const std::size_t space = text.rfind(' ');
    donut.figure = text.substr(0, space);
    donut.unit = space == std::string::npos ? "" : text.substr(space + 1);
}

} // namespace

const Slice* Donut::slice(const Component& component) const
{
    const auto found = std::find_if(slices.begin(), slices.end(), [&](const Slice& slice) {
        return isSame(*slice.component, component);
    });
    return found == slices.end() ? nullptr : &*found;
}

Donut flopsDonut(const CostTree<Count>& tree, LensId lensId)
{
    const Lens& rule = lens(lensId);
    const std::string unit(rule.unit);
    Donut donut{.origin = Origin::computed,
                .key = unit == "MACs" ? "macs" : "flops",
                .title = "computed, " + std::string(rule.title),
                .note = blindNote(tree, lensId),
                .emptyText = "This lens counts nothing here."};
    const auto counts = summed(
        tree, [lensId](const auto& operation) { return priced(lensId, operation.cost.count); });
    fill(donut,
         counts,
         {[](double value) {
              const ShortNumber number = shortNumber(value);
              return number.figure + " " + number.prefix;
          },
          unit,
          " " + unit});
    const ShortNumber number = shortNumber(donut.total);
    donut.figure = number.figure;
    donut.unit = number.prefix + unit;
    return donut;
}

Donut parametersDonut(const CostTree<Count>& tree)
{
    Donut donut{.origin = Origin::stored,
                .key = "parameters",
                .title = "stored",
                .emptyText = "This model has no parameters."};
    const auto counts =
        summed(tree, [](const auto& operation) { return operation.cost.parameters.trainable; });
    fill(donut, counts, {siText, " parameters", " parameters"});
    const ShortNumber number = shortNumber(donut.total);
    donut.figure = number.figure;
    donut.unit = (number.prefix.empty() ? "" : number.prefix + " ") + "parameters";
    return donut;
}

Donut bytesDonut(const CostTree<Count>& tree, const Precision& precision)
{
    Donut donut{.origin = Origin::computed,
                .key = "bytes",
                .title = "moved, one pass",
                .note = "each operand once, nothing fused",
                .emptyText = "Nothing is moved."};
    const auto counts = summed(tree, [&precision](const auto& operation) {
        return bytes(operation.cost.traffic, precision).total();
    });
    fill(donut, counts, {bytesText, "", " B"});
    setFigure(donut, bytesText(donut.total));
    return donut;
}

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
    setFigure(donut, durationText(donut.total));
    if (!donut.empty()) {
        donut.note = timeNote(shares, parts.size());
    } else if (shares.progress().failed > 0) {
        donut.note = partsText(shares.progress().failed) + " failed";
    }
    return donut;
}

std::vector<Donut> usualDonuts(const Scenario& scenario,
                               const CostTree<Count>& tree,
                               LensId lensId,
                               std::span<const MeasuredPart> parts,
                               std::span<const PartTime> times,
                               const std::string& device)
{
    std::vector<Donut> donuts{flopsDonut(tree, lensId)};
    if (times.empty()) {
        donuts.push_back(parametersDonut(tree));
        donuts.push_back(bytesDonut(tree, scenario.workload.precision));
    } else {
        donuts.push_back(timeDonut(parts, times, device));
        donuts.push_back(parametersDonut(tree));
    }
    return donuts;
}

std::vector<LegendRow> legendRows(std::span<const Donut> donuts)
{
    std::vector<LegendRow> rows;
    for (const Donut& donut : donuts) {
        std::size_t place = 0; // a new row goes behind the donut's previous component
        for (const Slice& slice : donut.slices) {
            const auto found = std::find_if(rows.begin(), rows.end(), [&](const LegendRow& row) {
                return isSame(*row.component, *slice.component);
            });
            if (found != rows.end()) {
                place = static_cast<std::size_t>(found - rows.begin()) + 1;
                continue;
            }
            rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place),
                        {.component = slice.component, .title = slice.title});
            ++place;
        }
    }
    for (LegendRow& row : rows) {
        for (const Donut& donut : donuts) {
            const Slice* slice = donut.slice(*row.component);
            row.shares.push_back(slice != nullptr ? percentText(slice->share) : kNothing);
        }
    }
    return rows;
}

} // namespace flopsmith
