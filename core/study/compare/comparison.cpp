// SPDX-License-Identifier: MIT
#include "core/study/compare/comparison.h"

#include "core/base/check.h"
#include "core/count/by_component.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/parameter_place.h"
#include "core/study/compare/comparison_times.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

namespace flopsmith {
namespace {

using ComponentSums = ByComponent<Count>;

std::optional<double> quotientOf(double value, double first)
{
    return value != 0.0 && first != 0.0 ? std::optional(value / first) : std::nullopt;
}

std::optional<MetricValue> defined(const MetricValue& value)
{
    return std::isfinite(toDouble(value)) ? std::optional(value) : std::nullopt;
}

// The lens determines the unit of operations.
std::string unitOf(const Metric& metric, LensId id)
{
    const std::string operations(lens(id).unit);
    switch (metric.id) {
    case MetricId::flops:
    case MetricId::flopsPerToken: return operations;
    case MetricId::intensity: return operations + "/B";
    default: return std::string(metric.unit);
    }
}

ComponentSums flopsByComponent(const CostTree<Count>& tree, LensId id)
{
    ComponentSums sums;
    if (!lens(id).isFormula()) {
        tree.forEachOperation(0, [&](const CostTree<Count>::Node& operation, const Count& times) {
            sums.add(*operation.component, times * pricedNode<Count>(id, operation));
        });
    }
    return sums;
}

/// The figures of all designs, design by design.
class FigureColumns
{
public:
    FigureColumns(LensId lens, PairsRule pairs)
        : m_lens(lens)
        , m_pairs(pairs)
    {
        for (const Metric& each : metrics(MetricNeeds::nothing)) {
            m_ids.push_back(each.id);
            m_figures.push_back({.key = std::string(each.name),
                                 .title = std::string(each.title),
                                 .unit = unitOf(each, lens)});
        }
    }

    void add(const Scenario& scenario, const CostTree<Count>& tree)
    {
        const std::vector<MetricValue> values =
            metricValues(m_ids, tree, scenario, {.lens = m_lens, .pairs = m_pairs}).value();
        for (std::size_t i = 0; i < values.size(); ++i) {
            m_figures[i].values.push_back(defined(values[i]));
        }
        const ComponentSums parts = flopsByComponent(tree, m_lens);
        for (const ComponentSums::Entry& part : parts.entries()) {
            if (part.amount > 0) {
                partOf(*part.component).values[m_designs] = part.amount;
            }
        }
        ++m_designs;
        for (ComparedFigure& part : m_parts) {
            part.values.resize(m_designs + 1, Count{0});
        }
    }

    std::vector<ComparedFigure> take()
    {
        for (ComparedFigure& part : m_parts) {
            part.values.resize(m_designs);
        }
        const auto flops = std::find_if(m_figures.begin(),
                                        m_figures.end(),
                                        [](const ComparedFigure& f) { return f.key == "flops"; });
        m_figures.insert(flops + 1, m_parts.begin(), m_parts.end());
        return std::move(m_figures);
    }

private:
    // A new part has no values in the earlier designs.
    ComparedFigure& partOf(const Component& component)
    {
        const auto found =
            std::find_if(m_parts.begin(), m_parts.end(), [&](const ComparedFigure& part) {
                return isSame(*part.component, component);
            });
        if (found != m_parts.end()) {
            return *found;
        }
        m_parts.push_back({.key = "flops/" + std::string(component.id),
                           .title = std::string(component.title),
                           .unit = std::string(lens(m_lens).unit),
                           .component = &component});
        m_parts.back().values.resize(m_designs + 1, Count{0});
        return m_parts.back();
    }

    LensId m_lens;
    PairsRule m_pairs;
    std::vector<MetricId> m_ids;
    std::vector<ComparedFigure> m_figures;
    std::vector<ComparedFigure> m_parts; ///< of the FLOPs, with a place for the next design
    std::size_t m_designs = 0;
};

/// The different readings of one parameter in one design.
struct DesignReadings
{
    std::vector<ParameterReading> all{};
    std::set<std::pair<FieldValue, std::string>> known{};
    bool isInMutedPart = false; ///< of some block

    void add(ParameterReading reading)
    {
        if (known.emplace(reading.value, reading.text).second) {
            all.push_back(std::move(reading));
        }
    }

    /// Whether only muted parts have the parameter: then it makes no difference.
    bool isSilent() const { return all.empty() && isInMutedPart; }
};

/// The different readings of one parameter, per design.
struct Readings
{
    std::string key;
    std::string label;
    std::string unit;
    std::vector<DesignReadings> byDesign;

    bool allAgree() const
    {
        const DesignReadings* first = nullptr;
        for (const DesignReadings& design : byDesign) {
            if (design.isSilent()) {
                continue;
            }
            if (first != nullptr && first->all != design.all) {
                return false;
            }
            first = &design;
        }
        return true;
    }
};

std::optional<ParameterReading> joinedReading(const std::vector<ParameterReading>& readings)
{
    constexpr std::size_t kMaxShown = 4;
    if (readings.size() < 2) {
        return readings.empty() ? std::nullopt : std::optional(readings.front());
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(readings.size(), kMaxShown); ++i) {
        text += (i == 0 ? "" : ", ") + readings[i].text;
    }
    text += readings.size() > kMaxShown ? ", \xE2\x80\xA6" : "";
    return ParameterReading{.value = text, .text = text};
}

/// The parameters of all designs. Those of blocks are put together by their keys in a block.
class ParameterColumns
{
public:
    explicit ParameterColumns(std::size_t designs)
        : m_designs(designs)
    {}

    void add(std::size_t design, const Scenario& scenario)
    {
        const Block noBlock;
        addAll(design, scenario, *workloadParameterList(), noBlock);
        addAll(design, scenario, *modelParameterList(), noBlock);
        for (std::size_t i = 0; i < scenario.model.runs.size(); ++i) {
            const Block& block = scenario.model.runs[i].block;
            addVariants(design, block);
            addAll(design, scenario, *blockParameterList(scenario, static_cast<int>(i)), block);
        }
    }

    std::vector<ComparedParameter> different() const
    {
        std::vector<ComparedParameter> different;
        for (const Readings& row : m_rows) {
            if (row.allAgree()) {
                continue;
            }
            different.push_back({.key = row.key, .label = row.label, .unit = row.unit});
            for (const DesignReadings& readings : row.byDesign) {
                different.back().readings.push_back(joinedReading(readings.all));
            }
        }
        return different;
    }

private:
    Readings& rowOf(const std::string& key, std::string_view label, std::string_view unit)
    {
        const auto [place, isNew] = m_places.emplace(key, m_rows.size());
        if (isNew) {
            m_rows.push_back({key,
                              std::string(label),
                              std::string(unit),
                              std::vector<DesignReadings>(m_designs)});
        }
        return m_rows[place->second];
    }

    // How long the runs are is a matter of the stack; how many blocks there are is not.
    void addAll(std::size_t design,
                const Scenario& scenario,
                const std::vector<Parameter>& parameters,
                const Block& block)
    {
        for (const Parameter& parameter : parameters) {
            if (parameter.text.key == "repeat" || !parameter.applies(scenario)) {
                continue;
            }
            const std::string key(keyInRun(parameter));
            Readings& row = rowOf(key, parameter.text.label, parameter.text.unit);
            DesignReadings& readings = row.byDesign.at(design);
            if (isOfMutedPart(block, key)) {
                readings.isInMutedPart = true;
            } else {
                readings.add(readingOf(scenario, parameter));
            }
        }
    }

    // A part that is not executed counts as the variant that does nothing.
    void addVariants(std::size_t design, const Block& block)
    {
        const auto add = [&](const char* key, const char* label, std::string_view variant) {
            const std::string text(variant);
            rowOf(key, label, "").byDesign.at(design).add({.value = text, .text = text});
        };
        const MixerSpec noMixer = NoMixer{};
        add("mixer", "mixer", block.hasMixer() ? info(block.mixer).id : info(noMixer).id);
        add("cross", "cross-attention", block.hasCross() ? info(block.cross).id : info(noMixer).id);
        add("ffn", "FFN", block.hasFfn() ? info(block.ffn).id : info(FfnSpec(NoFfn{})).id);
    }

    std::size_t m_designs;
    std::vector<Readings> m_rows;
    std::unordered_map<std::string, std::size_t> m_places; ///< by key
};

// A number that is shown as it is stored.
std::optional<double> plainNumber(const std::optional<ParameterReading>& reading)
{
    if (!reading || reading->text != valueText(reading->value)) {
        return std::nullopt;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&reading->value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&reading->value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

} // namespace

std::optional<MetricValue> ComparedFigure::delta(std::size_t design) const
{
    const std::optional<MetricValue>& first = values.at(0);
    const std::optional<MetricValue>& value = values.at(design);
    if (!first || !value) {
        return std::nullopt;
    }
    const auto* firstCount = std::get_if<Count>(&*first);
    const auto* count = std::get_if<Count>(&*value);
    return firstCount != nullptr && count != nullptr
        ? MetricValue(*count - *firstCount)
        : MetricValue(toDouble(*value) - toDouble(*first));
}

std::optional<double> ComparedFigure::ratio(std::size_t design) const
{
    const std::optional<MetricValue>& first = values.at(0);
    const std::optional<MetricValue>& value = values.at(design);
    return first && value ? quotientOf(toDouble(*value), toDouble(*first)) : std::nullopt;
}

std::optional<double> ComparedParameter::delta(std::size_t design) const
{
    const std::optional<double> first = plainNumber(readings.at(0));
    const std::optional<double> value = plainNumber(readings.at(design));
    return first && value ? std::optional(*value - *first) : std::nullopt;
}

std::optional<double> ComparedParameter::ratio(std::size_t design) const
{
    const std::optional<double> first = plainNumber(readings.at(0));
    const std::optional<double> value = plainNumber(readings.at(design));
    return first && value ? quotientOf(*value, *first) : std::nullopt;
}

Comparison comparison(std::vector<ComparedDesign> designs, LensId lens, PairsRule pairs)
{
    FLOPSMITH_CHECK(designs.size() >= kFewestDesigns && designs.size() <= kMaxDesigns);
    FigureColumns figures(lens, pairs);
    ParameterColumns parameters(designs.size());
    Comparison result{.lens = lens, .pairs = pairs};
    for (std::size_t i = 0; i < designs.size(); ++i) {
        const Scenario& scenario = designs[i].scenario;
        if (designs[i].tree != nullptr) {
            figures.add(scenario, *designs[i].tree);
        } else {
            figures.add(scenario, costTree(scenario, pairs));
        }
        parameters.add(i, scenario);
        result.stacks.push_back(alignedStacks(designs.front().scenario, scenario));
    }
    result.figures = figures.take();
    if (std::optional<ComparedFigure> times = comparedTimes(designs)) {
        result.figures.push_back(std::move(*times));
    }
    result.parameters = parameters.different();
    for (ComparedDesign& design : designs) {
        design.tree = nullptr;
        design.memory = nullptr;
    }
    result.designs = std::move(designs);
    return result;
}

} // namespace flopsmith
