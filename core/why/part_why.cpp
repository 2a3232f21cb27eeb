// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/part_why.h"

#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/count/by_component.h"
#include "core/formula/element_formula.h"
#include "core/model/training_step.h"
#include "core/model/tree_path.h"
#include "core/why/figure_text.h"
#include "core/why/why_steps.h"

#include <algorithm>
#include <optional>

namespace flopsmith {
namespace {

/// Writes the card of one figure.
class PartCard
{
public:
    PartCard(const PartFigure& figure, const HeadlineSource& source)
        : m_figure(figure)
        , m_source(source)
        , m_node(nodeAt(source.tree, nearestPath(source.tree, figure.path)))
    {
        const FigureText text = figureText(figure.kind);
        m_why.title = partTitle() + ": " + std::string(text.title);
        m_why.sentence = text.sentence;
        m_why.unit = text.unit;
        m_why.view = text.view;
    }

    Why cost()
    {
        const Lens& lens = flopsmith::lens(m_source.lens);
        m_why.sentence = "What the part computes, counted by the lens " + std::string(lens.title)
            + ": " + std::string(lens.rule) + ".";
        m_why.unit = lens.unit;
        addFormula(m_why, m_source.scenario, [&] {
            return m_figure.component != nullptr
                ? flopsFormula(m_source.scenario,
                               m_source.lens,
                               {.path = pathInTree(), .component = m_figure.component})
                : formulaOf(m_source.scenario, pathInTree(), m_source.lens);
        });
        if (m_why.formula) {
            addUses(m_why.formula->value);
            addShare(withElsewhere(
                         m_why.formula->value,
                         [&](int node) { return pricedPart(m_source.lens, m_source.tree, node); }),
                     pricedPart(m_source.lens, m_source.tree, 0),
                     "of the whole model");
        }
        m_why.basis = {"Counted so by " + std::string(lens.source) + "."};
        return std::move(m_why);
    }

    Why parameters()
    {
        addElements(ElementKind::parameters);
        if (m_why.formula) {
            addUses(m_why.formula->value);
            addShare(withElsewhere(
                         m_why.formula->value,
                         [&](int node) { return m_source.tree.total(node).parameters.trainable; }),
                     m_source.tree.total().parameters.trainable,
                     "of the whole model");
        }
        return std::move(m_why);
    }

    Why memory(MemoryKind kind)
    {
        const Memory needed = flopsmith::memory(m_source.scenario);
        switch (kind) {
        case MemoryKind::fixed: addElements(ElementKind::fixed); break;
        case MemoryKind::activations: addElements(ElementKind::savedActivations); break;
        case MemoryKind::kvCache: addElements(ElementKind::cachePerToken); break;
        case MemoryKind::temporary:
            m_why.steps.push_back({.title = "operation", .result = needed.largestOperation});
            break;
        default: addElements(ElementKind::parameters); break;
        }
        Count bytes = 0;
        for (const MemoryItem& item : needed.items) {
            bytes += item.kind == kind && isOfComponent(*item.component) ? item.bytes : Count{0};
        }
        m_why.steps.push_back(
            {.title = "bytes", .arithmetic = packing(kind, bytes), .result = bytesResult(bytes)});
        addShare(bytes, needed.total(), "of everything that the device holds");
        m_why.basis = {"Precision: " + precisionText(precision()) + "."};
        return std::move(m_why);
    }

    Why allMemory()
    {
        const Memory needed = flopsmith::memory(m_source.scenario);
        for (const MemoryItem& item : needed.items) {
            if (isOfComponent(*item.component)) {
                m_why.steps.push_back({.title = std::string(title(item.kind)),
                                       .arithmetic = std::string(item.component->title),
                                       .result = bytesResult(item.bytes)});
            }
        }
        const Count bytes =
            m_figure.component != nullptr ? needed.total(*m_figure.component) : needed.total();
        m_why.steps.push_back({.title = "together", .result = bytesResult(bytes)});
        m_why.basis = {"Precision: " + precisionText(precision()) + "."};
        return std::move(m_why);
    }

    Why moved()
    {
        addElements(ElementKind::moved);
        TrafficBytes sum;
        m_source.tree.forEachOperation(m_node, [&](const auto& operation, const Count& times) {
            if (isOfComponent(*operation.component)) {
                add(bytes(operation, precision()), times * uses(), sum);
            }
        });
        addBytes("weights", sum.weights);
        addBytes("activations", sum.read + sum.written);
        addBytes("cache", sum.kvRead + sum.kvWritten);
        addBytes("gradients, optimizer", sum.gradients + sum.states);
        addBytes("together", sum.total());
        m_why.basis = {"Precision: " + precisionText(precision()) + "."};
        return std::move(m_why);
    }

    Why leastTime()
    {
        const Result<HardwarePeak> on = roofsOf(m_source);
        if (on) {
            addLeastTime(m_why, m_source, *on, {.nodes = nodes(), .component = m_figure.component});
        } else {
            m_why.noFormula = on.error().message;
        }
        return std::move(m_why);
    }

    Why measuredTime(const std::string& device)
    {
        const RunTimeTable table = runTimeTable(m_source.parts, m_source.times, {}, std::nullopt);
        double seconds = 0.0;
        for (const RunTimeRow& row : table.rows) {
            const bool isPart = m_figure.path.empty() ? !row.isStage
                : m_figure.component == nullptr       ? row.path == m_figure.path
                                                      : isWithin(row.path, m_figure.path);
            if (isPart && isOfComponent(*row.component)) {
                m_why.steps.push_back(stepOf(row));
                seconds += row.seconds;
            }
        }
        if (table.isTotalKnown() && seconds > 0.0) {
            m_why.steps.push_back({.title = "share",
                                   .arithmetic = "of " + table.total.timeText,
                                   .result = percentText(seconds / table.total.seconds)});
        }
        m_why.basis = {measuredBasis(table, device)};
        return std::move(m_why);
    }

private:
    const Precision& precision() const { return m_source.scenario.workload.precision; }

    std::vector<int> nodes() const
    {
        std::vector<int> all{m_node};
        for (const std::string& path : m_figure.elsewhere) {
            all.push_back(nodeAt(m_source.tree, nearestPath(m_source.tree, path)));
        }
        return all;
    }

    // In the pass that the tree has.
    std::string pathInTree() const { return m_source.tree.path(m_node); }

    bool isOfComponent(const Component& component) const
    {
        return m_figure.component == nullptr || isSame(component, *m_figure.component);
    }

    std::string partTitle() const
    {
        if (m_figure.component != nullptr) {
            return std::string(m_figure.component->title);
        }
        return m_figure.path.empty() ? "Whole model"
                                     : std::string(m_source.tree.node(m_node).component->title);
    }

    // Of a formula, which is of one use of a part.
    Count uses() const
    {
        return m_figure.isOfOneUse || m_figure.path.empty() ? Count{1}
                                                            : m_source.tree.timesUsed(m_node);
    }

    void addElements(ElementKind kind)
    {
        addFormula(m_why, m_source.scenario, [&] {
            return elementFormula(
                m_source.scenario, kind, {.path = pathInTree(), .component = m_figure.component});
        });
    }

    void addBytes(std::string_view title, const Count& bytes)
    {
        if (bytes > 0) {
            m_why.steps.push_back({.title = std::string(title), .result = bytesResult(bytes)});
        }
    }

    static void add(const TrafficBytes& one, const Count& times, TrafficBytes& sum)
    {
        sum.weights += times * one.weights;
        sum.read += times * one.read;
        sum.written += times * one.written;
        sum.kvRead += times * one.kvRead;
        sum.kvWritten += times * one.kvWritten;
        sum.gradients += times * one.gradients;
        sum.states += times * one.states;
    }

    void addUses(const Count& ofOne)
    {
        if (uses() > 1) {
            m_why.steps.push_back(
                {.title = "all uses",
                 .arithmetic = groupedDigits(uses()) + kTimes + groupedDigits(ofOne),
                 .result = groupedDigits(uses() * ofOne) + " " + m_why.unit});
        }
    }

    // All uses of the part, and of those elsewhere, which are named if there are any.
    template <class AmountOf>
    Count withElsewhere(const Count& ofOne, AmountOf amountOf)
    {
        Count sum = uses() * ofOne;
        for (const std::string& path : m_figure.elsewhere) {
            const int node = nodeAt(m_source.tree, nearestPath(m_source.tree, path));
            sum += m_source.tree.timesUsed(node) * amountOf(node);
        }
        if (!m_figure.elsewhere.empty()) {
            m_why.steps.push_back({.title = "with those of other blocks",
                                   .result = groupedDigits(sum) + " " + m_why.unit});
        }
        return sum;
    }

    void addShare(const Count& part, const Count& whole, const std::string& ofWhat)
    {
        if (part < whole) {
            m_why.steps.push_back({.title = "share",
                                   .arithmetic = ofWhat,
                                   .result = percentText(toDouble(part) / toDouble(whole))});
        }
    }

    // How elements become bytes.
    std::string packing(MemoryKind kind, const Count& bytes) const
    {
        const std::string elements = m_why.formula ? groupedDigits(m_why.formula->value) : "";
        const auto packed = [&](const std::string& bits) {
            return elements.empty() ? bits : elements + kTimes + bits + kDividedBy + "8";
        };
        switch (kind) {
        case MemoryKind::weights: {
            const WeightFormat format = precision().format(WeightKind::matrices);
            return !precision().hasOneFormat() ? "each kind of tensor with its own bits"
                : format.hasGroups()           ? packed(bitText(format.bits)) + ", and "
                    + bitText(format.groupBits) + " for every " + std::to_string(format.group)
                                     : packed(bitText(format.bits));
        }
        case MemoryKind::gradients: return packed(bitText(precision().bitsOfGradients()));
        case MemoryKind::optimizer:
            return packed(std::to_string(stateElements(m_source.scenario.workload.optimizer))
                          + kTimes + bitText(kOptimizerStateBits));
        case MemoryKind::fixed: return packed(bitText(kFixedBits));
        case MemoryKind::activations: return packed(bitText(precision().activationBits));
        case MemoryKind::kvCache: return cachePacking(bytes);
        case MemoryKind::temporary: return bitText(precision().activationBits) + " each";
        }
        return {};
    }

    // Per token times tokens, where all tokens are kept in every block.
    std::string cachePacking(const Count& bytes) const
    {
        const Workload& workload = m_source.scenario.workload;
        const Count tokens = Count{workload.batch} * m_source.scenario.keys();
        const int bits = workload.precision.kvBits;
        if (!m_why.formula || packedBytes(tokens * m_why.formula->value, bits) != bytes) {
            return "windows and the encoder's tokens are kept apart";
        }
        return groupedDigits(m_why.formula->value) + kTimes + groupedDigits(tokens) + " tokens"
            + kTimes + bitText(bits) + kDividedBy + "8";
    }

    static WhyStep stepOf(const RunTimeRow& row)
    {
        return {.title = row.titleText,
                .arithmetic = row.uses > 1 && row.seconds > 0.0
                    ? std::to_string(row.uses) + kTimes + durationText(row.seconds / row.uses)
                    : row.spreadText,
                .result = row.timeText};
    }

    const PartFigure& m_figure;
    const HeadlineSource& m_source;
    int m_node;
    Why m_why;
};

} // namespace

Why whyOfPart(const PartFigure& figure, const HeadlineSource& source, const std::string& device)
{
    PartCard card(figure, source);
    if (const std::optional<MemoryKind> kind = memoryKind(figure.kind)) {
        return card.memory(*kind);
    }
    switch (figure.kind) {
    case FigureKind::parameters: return card.parameters();
    case FigureKind::memory: return card.allMemory();
    case FigureKind::moved: return card.moved();
    case FigureKind::leastTime: return card.leastTime();
    case FigureKind::measuredTime: return card.measuredTime(device);
    default: return card.cost();
    }
}

} // namespace flopsmith
