// SPDX-License-Identifier: MIT
#include "core/budget/memory.h"

#include "core/count/by_component.h"
#include "core/mixer/mixer_variants.h"
#include "core/model/saved_activations.h"

#include <algorithm>

namespace flopsmith {
namespace {

const Numbers<Count> kNumbers;

using Elements = ByComponent<Count>;

/// Turns elements per component into bytes: each component gets the difference that it makes to the
/// packed bytes of all components before it, so that items add up to the bytes of all elements
/// packed together.
class ItemList
{
public:
    template <class BytesOf>
    void add(MemoryKind kind, const Elements& elements, BytesOf bytesOf)
    {
        Count before = 0;
        Count sum = 0;
        for (const Elements::Entry& entry : elements.entries()) {
            sum += entry.amount;
            const Count bytes = bytesOf(sum);
            if (bytes > before) {
                itemOf(kind, *entry.component).bytes += bytes - before;
            }
            before = bytes;
        }
    }

    void addPacked(MemoryKind kind, const Elements& elements, int bits)
    {
        add(kind, elements, [bits](Count sum) { return packedBytes(sum, bits); });
    }

    std::vector<MemoryItem> take() { return std::move(m_items); }

private:
    MemoryItem& itemOf(MemoryKind kind, const Component& component)
    {
        const auto found = std::ranges::find_if(m_items, [&](const MemoryItem& item) {
            return item.kind == kind && isSame(*item.component, component);
        });
        return found != m_items.end() ? *found : m_items.emplace_back(kind, &component, Count{0});
    }

    std::vector<MemoryItem> m_items;
};

// The weights of one kind: all but the vectors of the operations of this kind, or all vectors.
Elements weightsOf(WeightKind kind, const CostTree<Count>& tree)
{
    Elements elements;
    tree.forEachOperation(0, [&](const auto& operation, const Count& times) {
        const ParameterCount<Count>& parameters = operation.cost.parameters;
        if (kind == WeightKind::vectors) {
            elements.add(*operation.component, times * parameters.vectors);
        } else if (kind == weightKind(operation)) {
            elements.add(*operation.component, times * (parameters.trainable - parameters.vectors));
        }
    });
    return elements;
}

void addWeights(const CostTree<Count>& tree, const Precision& precision, ItemList& items)
{
    const auto add = [&items](const Elements& weights, const WeightFormat& format) {
        items.add(MemoryKind::weights, weights, [&format](Count sum) {
            return storedBytes(sum, format);
        });
    };
    if (precision.hasOneFormat()) {
        add(collected(tree, 0, [](const auto& cost) { return cost.parameters.trainable; }),
            precision.format(WeightKind::matrices));
        return;
    }
    for (std::size_t i = 0; i < kWeightKinds; ++i) {
        const auto kind = static_cast<WeightKind>(i);
        add(weightsOf(kind, tree), precision.format(kind));
    }
}

Elements scaled(const Elements& elements, int factor)
{
    Elements product;
    for (const Elements::Entry& entry : elements.entries()) {
        product.add(*entry.component, factor * entry.amount);
    }
    return product;
}

// The number of tokens, among `tokens`, whose keys and values a mixer has to cache.
int cachedTokens(const MixerSpec& mixer, int tokens)
{
    return visit(
        [tokens](const auto& spec) {
            if constexpr (requires { spec.window > 0; }) {
                return spec.window > 0 ? std::min(spec.window, tokens) : tokens;
            } else {
                return tokens;
            }
        },
        mixer);
}

// The cache holds what a prefill of the cached tokens appends.
void addCached(const MixerSpec& mixer, int repeat, Pass<Count> pass, Elements& elements)
{
    const int tokens = cachedTokens(mixer, pass.contextValue);
    pass.sequence = pass.context = tokens;
    pass.sequenceValue = pass.contextValue = tokens;
    CostTree<Count> tree;
    {
        const auto group = tree.group("mixer", *info(mixer).component);
        addCost(mixer, pass, tree);
    }
    elements.add(*info(mixer).component, repeat * tree.total().traffic.kvWritten);
}

// Of all sequences: of every decoder block its own tokens, and of its cross-attention the source's.
Elements cached(const Scenario& scenario)
{
    const Pass<Count> pass = passOf(scenario, PairsRule::full, kNumbers);
    Elements elements;
    for (const BlockRun& run : scenario.model.runs) {
        if (!run.block.isEncoder()) {
            addCached(run.block.activeMixer(), run.repeat, pass, elements);
            addCached(run.block.activeCross(), run.repeat, pass, elements);
        }
    }
    return elements;
}

struct Largest
{
    int node = -1;
    Count elements = 0;
};

template <class AmountOf>
Largest largestOperation(const CostTree<Count>& tree, AmountOf amountOf)
{
    Largest largest;
    for (int i = 0; i < tree.size(); ++i) {
        const Count elements = amountOf(tree.node(i).cost.traffic);
        if (elements > largest.elements) {
            largest = {i, elements};
        }
    }
    return largest;
}

} // namespace

template <>
std::vector<std::string_view> enumNames<MemoryKind>()
{
    return {"weights", "fixed", "gradients", "optimizer", "activations", "kv_cache", "temporary"};
}

std::string_view title(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::weights: return "weights";
    case MemoryKind::fixed: return "fixed parameters";
    case MemoryKind::gradients: return "gradients";
    case MemoryKind::optimizer: return "optimizer state";
    case MemoryKind::activations: return "saved activations";
    case MemoryKind::kvCache: return "cache";
    case MemoryKind::temporary: return "largest temporary";
    }
    return {};
}

Count Memory::total() const
{
    Count sum = 0;
    for (const MemoryItem& item : items) {
        sum += item.bytes;
    }
    return sum;
}

Count Memory::total(MemoryKind kind) const
{
    Count sum = 0;
    for (const MemoryItem& item : items) {
        sum += item.kind == kind ? item.bytes : Count{0};
    }
    return sum;
}

Count Memory::total(const Component& component) const
{
    Count sum = 0;
    for (const MemoryItem& item : items) {
        sum += isSame(*item.component, component) ? item.bytes : Count{0};
    }
    return sum;
}

Memory memory(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const Precision& precision = workload.precision;
    const bool training = workload.phase == Phase::train;
    const CostTree<Count> tree = costTree(scenario, PairsRule::full);

    ItemList items;
    const Elements weights =
        collected(tree, 0, [](const auto& cost) { return cost.parameters.trainable; });
    addWeights(tree, precision, items);
    items.addPacked(MemoryKind::fixed,
                    collected(tree, 0, [](const auto& cost) { return cost.parameters.fixed; }),
                    kFixedBits);
    if (training) {
        items.addPacked(MemoryKind::gradients, weights, precision.bitsOfGradients());
        items.addPacked(MemoryKind::optimizer,
                        scaled(weights, stateElements(workload.optimizer)),
                        kOptimizerStateBits);
        items.addPacked(MemoryKind::activations,
                        savedActivations(scenario, tree, kNumbers),
                        precision.activationBits);
    } else {
        items.addPacked(MemoryKind::kvCache, cached(scenario), precision.kvBits);
    }
    const Largest largest = largestOperation(tree, [training](const Traffic<Count>& traffic) {
        return training ? traffic.written : traffic.read + traffic.written;
    });
    Memory result;
    if (largest.node >= 0) {
        Elements temporary;
        temporary.add(*tree.node(largest.node).component, largest.elements);
        items.addPacked(MemoryKind::temporary, temporary, precision.activationBits);
        result.largestOperation = tree.path(largest.node);
    }
    result.items = items.take();
    return result;
}

Count cacheBytes(const Scenario& scenario)
{
    if (scenario.workload.phase == Phase::train) {
        return 0;
    }
    ItemList items;
    items.addPacked(MemoryKind::kvCache, cached(scenario), scenario.workload.precision.kvBits);
    return Memory{.items = items.take()}.total();
}

Count stateBytes(const Scenario& scenario)
{
    Scenario states = scenario;
    for (BlockRun& run : states.model.runs) {
        run.block.cross = MixerSpec();
        if (!keepsState(run.block.mixer)) {
            run.block.mixer = MixerSpec();
        }
    }
    return cacheBytes(states);
}

Count cacheBytesWithoutWindows(const Scenario& scenario)
{
    Scenario open = scenario;
    for (BlockRun& run : open.model.runs) {
        if (auto* attention = get_if<Attention>(&run.block.mixer)) {
            attention->window = 0;
        }
    }
    return cacheBytes(open);
}

} // namespace flopsmith
