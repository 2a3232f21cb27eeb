// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/count/component.h"
#include "core/count/op_count.h"
#include "core/count/routed_experts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace flopsmith {

/// The kind of an operation, for lenses that charge kinds differently.
enum class OpKind {
    group, ///< not an operation: a node whose cost is the sum of its parts
    linear,
    scores, ///< query-key products of attention
    weightedSum, ///< attention probabilities times values
    softmax,
    norm, ///< LayerNorm
    rmsNorm,
    activation,
    elementwise,
    residual,
    lookup,
    rotary,
    transform, ///< FFT
    filter, ///< complex products in the frequency domain
    selection, ///< top-k
    scan, ///< a recurrence over the tokens of a sequence
};

inline constexpr std::size_t kOpKinds = static_cast<std::size_t>(OpKind::scan) + 1;

std::string_view opKindName(OpKind kind);

/// The part of a model that a node of its cost tree belongs to; nodes without a place are norms or
/// sums.
enum class ModelPlace {
    norms,
    embedding,
    tokenTable, ///< token look-up, a part of the embedding
    positionTable, ///< position look-up, a part of the embedding
    mixer,
    ffn,
    head,
    stored, ///< parameters that blocks share; a node that is not executed
};

constexpr bool isEmbedding(ModelPlace place)
{
    return place == ModelPlace::embedding || place == ModelPlace::tokenTable
        || place == ModelPlace::positionTable;
}

/// The breakdown of a model's cost: a tree in pre-order, so that children follow their parent.
/// Groups have no cost of their own, so that parts always add up to the whole. A node with repeat n
/// represents n equal nodes (a run of equal blocks).
template <class N>
class CostTree
{
public:
    struct Node
    {
        std::string_view name; ///< static text: "ffn", "c_fc"
        int index = -1; ///< for "blocks[3]"; -1 without an index
        int parent = -1;
        int end = 0; ///< one past the last descendant
        OpKind kind = OpKind::group;
        ModelPlace place = ModelPlace::norms;
        RoutedExperts routed{}; ///< of a product of routed experts
        const Component* component = nullptr;
        N repeat{1};
        N elements{0}; ///< output elements, for lenses that charge per element
        Cost<N> cost;
    };

    /// Closes its group at the end of the C++ scope.
    class [[nodiscard]] Group
    {
    public:
        Group(const Group&) = delete;
        Group& operator=(const Group&) = delete;
        ~Group() { m_tree.closeGroup(); }

    private:
        friend class CostTree;
        explicit Group(CostTree& tree)
            : m_tree(tree)
        {}
        CostTree& m_tree;
    };

    CostTree()
        : m_nodes(std::exchange(spare(), {}))
    {
        m_nodes.reserve(64);
    }
    CostTree(const CostTree&) = default;
    CostTree& operator=(const CostTree&) = default;
    CostTree(CostTree&&) noexcept = default;
    CostTree& operator=(CostTree&&) noexcept = default;
    ~CostTree()
    {
        if (m_nodes.capacity() > spare().capacity()) {
            m_nodes.clear();
            spare().swap(m_nodes);
        }
    }

    /// Opens a group within the open one and inherits its place unless one is given.
    Group group(std::string_view name,
                const Component& component,
                int index = -1,
                const N& repeat = N(1),
                std::optional<ModelPlace> place = std::nullopt)
    {
        const int parent = std::exchange(m_open, static_cast<int>(m_nodes.size()));
        Node& node = m_nodes.emplace_back();
        node.name = name;
        node.index = index;
        node.parent = parent;
        node.component = &component;
        node.repeat = repeat;
        const ModelPlace outside = parent < 0 ? ModelPlace::norms : m_nodes[at(parent)].place;
        node.place = outside == ModelPlace::stored ? outside : place.value_or(outside);
        if (kSumsUp && !isOne(repeat)) {
            m_sumsOutside.push_back(std::exchange(m_sum, {}));
        }
        return Group(*this);
    }

    /// Adds an operation to the open group with the group's component unless one is given.
    // Inlined and member by member, because most members of a cost are constant zeros in the
    // caller, which the compiler can then drop.
    [[gnu::always_inline]] void operation(std::string_view name,
                                          OpKind kind,
                                          const N& elements,
                                          const Cost<N>& cost,
                                          const Component* component = nullptr)
    {
        Node& node = addOperation(name, kind, component);
        node.elements = elements;
        if constexpr (kSumsUp) {
            node.cost.forEachPair(cost, [](N& to, const N& from) { to = from; });
            m_sum.forEachPair(cost, [](N& to, const N& from) { to += from; });
        } else {
            node.cost = cost;
        }
    }

    /// Sets the place of the operation that was added last.
    void placeLast(ModelPlace place) { m_nodes.back().place = place; }

    /// The operation that was added last is one of routed experts.
    void markLastAsExpert(const RoutedExperts& routed) { m_nodes.back().routed = routed; }

    /// Selects the costs that the nodes from `first` on keep, for a part that is used often but
    /// stored once.
    enum class Keep { parameters, allButParameters };
    void keepOnly(Keep what, int first)
    {
        m_sumIsTotal = false;
        for (std::size_t i = at(first); i < m_nodes.size(); ++i) {
            Cost<N>& cost = m_nodes[i].cost;
            if (what == Keep::parameters) {
                cost = Cost<N>{.parameters = cost.parameters};
                m_nodes[i].elements = N(0);
            } else {
                cost.parameters = {};
            }
        }
    }

    /// Calls change(node) for every node that was added from node `first` on: for a pass that charges
    /// the same operations differently.
    template <class Change>
    void changeFrom(int first, Change change)
    {
        m_sumIsTotal = false;
        for (std::size_t i = at(first); i < m_nodes.size(); ++i) {
            change(m_nodes[i]);
        }
    }

    /// Replaces the parts of this tree's root at the nodes [first, end) by the parts of the root of
    /// `other`. Both trees are complete.
    void replaceParts(int first, int end, const CostTree& other)
    {
        FLOPSMITH_CHECK(m_open < 0 && other.m_open < 0);
        FLOPSMITH_CHECK(0 < first && first <= end && end <= size() && other.size() > 0);
        m_sumIsTotal = m_sumIsTotal && other.m_sumIsTotal;
        addSum(first, end, N(-1));
        const int had = end - first;
        const int has = other.size() - 1;
        const auto begin = m_nodes.begin() + first;
        const auto from = other.m_nodes.begin() + 1;
        std::copy(from, from + std::min(had, has), begin);
        if (has < had) {
            m_nodes.erase(begin + has, begin + had);
        } else {
            m_nodes.insert(begin + had, from + had, other.m_nodes.end());
        }
        moveLinks(first, first + has, first - 1);
        if (has != had) {
            moveLinks(first + has, size(), has - had);
        }
        m_nodes.front().end = size();
        addSum(first, first + has, N(1));
    }

    /// Renumbers a part of the root, as "blocks[7]" after a block was added above it.
    void setIndex(int i, int index) { m_nodes.at(at(i)).index = index; }

    const std::vector<Node>& nodes() const { return m_nodes; }
    const Node& node(int i) const { return m_nodes.at(at(i)); }
    int size() const { return static_cast<int>(m_nodes.size()); }

    /// The node's path from the root's children down: "blocks[3]/ffn/spectral".
    std::string path(int i) const
    {
        std::string text;
        for (int at = i; at > 0; at = node(at).parent) {
            std::string segment(node(at).name);
            if (node(at).index >= 0) {
                segment += "[" + std::to_string(node(at).index) + "]";
            }
            text = text.empty() ? segment : segment + "/" + text;
        }
        return text;
    }

    /// How often the node is executed in the whole model: the product of repeats above and at it.
    N timesUsed(int i) const
    {
        N times{1};
        for (int at = i; at >= 0; at = node(at).parent) {
            times = times * node(at).repeat;
        }
        return times;
    }

    /// Sum over the node's operations, times the repeats below it (its own repeat not included).
    Cost<N> total(int i) const
    {
        Cost<N> sum;
        addTotal(i, sum);
        return sum;
    }

    Cost<N> total() const
    {
        if (m_nodes.empty()) {
            return {};
        }
        const Node& root = m_nodes.front();
        const bool isWhole = m_open < 0 && root.end == size() && isOne(root.repeat);
        return m_sumIsTotal && isWhole ? m_sum : total(0);
    }

    /// Calls visit(operation node, times used inside node i) for every operation below node i.
    template <class Visit>
    void forEachOperation(int i, Visit visit) const
    {
        visitBelow(i, N(1), visit);
    }

private:
    /// Memory of an earlier tree of this thread, reused because page faults cost more than filling
    /// in the nodes.
    static std::vector<Node>& spare()
    {
        static thread_local std::vector<Node> nodes;
        return nodes;
    }

    /// Numbers are summed while they are added; symbolic totals are computed on demand.
    static constexpr bool kSumsUp = std::is_same_v<N, Count>;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    [[gnu::noinline]] Node& addOperation(std::string_view name,
                                         OpKind kind,
                                         const Component* component)
    {
        FLOPSMITH_CHECK(m_open >= 0);
        Node& node = m_nodes.emplace_back();
        node.name = name;
        node.parent = m_open;
        node.end = static_cast<int>(m_nodes.size());
        node.kind = kind;
        node.place = m_nodes[at(m_open)].place;
        node.component = component != nullptr ? component : m_nodes[at(m_open)].component;
        return node;
    }

    // Skips the multiplication for the common case of one repeat.
    static bool isOne(const Count& repeat) { return repeat == 1; }
    template <class Symbolic>
    static bool isOne(const Symbolic& /*repeat*/)
    {
        return false;
    }

    void addTotal(int i, Cost<N>& sum) const
    {
        const Node& here = m_nodes[at(i)];
        if (here.kind != OpKind::group) {
            sum += here.cost;
            return;
        }
        for (int child = i + 1; child < here.end; child = m_nodes[at(child)].end) {
            const Node& part = m_nodes[at(child)];
            if (isOne(part.repeat)) {
                addTotal(child, sum);
            } else {
                sum += part.repeat * total(child);
            }
        }
    }

    // Adds the cost of the root's parts at these nodes, `times` times.
    void addSum(int first, int end, const N& times)
    {
        for (int part = first; part < end; part = m_nodes[at(part)].end) {
            m_sum += times * m_nodes[at(part)].repeat * total(part);
        }
    }

    // After nodes have moved by so many places; the root stays where it is.
    void moveLinks(int first, int end, int by)
    {
        for (int i = first; i < end; ++i) {
            Node& node = m_nodes[at(i)];
            node.parent = node.parent > 0 ? node.parent + by : node.parent;
            node.end += by;
        }
    }

    template <class Visit>
    void visitBelow(int i, const N& times, Visit& visit) const
    {
        const Node& here = m_nodes[at(i)];
        if (here.kind != OpKind::group) {
            visit(here, times);
            return;
        }
        for (int child = i + 1; child < here.end; child = m_nodes[at(child)].end) {
            visitBelow(child, times * m_nodes[at(child)].repeat, visit);
        }
    }

    void closeGroup()
    {
        Node& group = m_nodes[at(m_open)];
        group.end = static_cast<int>(m_nodes.size());
        m_open = group.parent;
        if (kSumsUp && !isOne(group.repeat)) {
            m_sum = m_sumsOutside.back() + group.repeat * m_sum;
            m_sumsOutside.pop_back();
        }
    }

    std::vector<Node> m_nodes;
    int m_open = -1;
    Cost<N> m_sum{}; // of everything added since the innermost open group with a repeat was opened
    std::vector<Cost<N>> m_sumsOutside; // the same for the groups with a repeat around it
    bool m_sumIsTotal = kSumsUp; // and no node was changed after it was added
};

// Compiled once, in cost_tree.cpp: otherwise every object that holds a tree has a copy of it.
extern template class CostTree<Count>;

} // namespace flopsmith
