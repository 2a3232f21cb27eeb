// SPDX-License-Identifier: MIT
#include "core/io/reports/cost_differences.h"

#include "core/io/table/table_text.h"
#include "core/lens/lens_total.h"
#include "core/model/model_cost.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>

namespace flopsmith {
namespace {

constexpr const char* kNoDifference = "\xE2\x80\x93";

// "blocks", 7 and "/ffn" of "blocks[7]/ffn".
struct BlockPath
{
    std::string before;
    int block = 0;
    std::string behind;

    std::string at(int index) const { return before + "[" + std::to_string(index) + "]"; }
};

std::optional<BlockPath> blockPath(const std::string& path)
{
    const std::size_t open = path.find('[');
    const std::size_t close = path.find(']', open);
    if (open == std::string::npos || close == std::string::npos) {
        return std::nullopt;
    }
    BlockPath parts{.before = path.substr(0, open), .behind = path.substr(close + 1)};
    std::from_chars(path.data() + open + 1, path.data() + close, parts.block);
    return parts;
}

/// What one use of each part of a design costs under a lens, found by its place.
class PartPrices
{
public:
    PartPrices(const ComparedDesign& design, LensId lens)
        : m_lens(lens)
        , m_own(design.tree != nullptr ? CostTree<Count>()
                                       : costTree(design.scenario, flopsmith::lens(lens).pairs))
        , m_tree(design.tree != nullptr ? *design.tree : m_own)
        , m_whole(lensTotal(design.scenario, lens, m_tree).figure)
    {
        for (int i = 1; i < m_tree.size(); ++i) {
            m_nodes.emplace(m_tree.path(i), i);
        }
    }

    std::optional<Count> whole() const { return m_whole; }

    std::optional<Count> at(const std::string& path) const
    {
        const auto found = m_nodes.find(placeOf(path));
        if (found == m_nodes.end() || flopsmith::lens(m_lens).isFormula()) {
            return std::nullopt;
        }
        return pricedPart(m_lens, m_tree, found->second);
    }

private:
    // The path of the run that holds the block.
    std::string placeOf(const std::string& path) const
    {
        const std::optional<BlockPath> place = blockPath(path);
        for (int first = place ? place->block : -1; first >= 0; --first) {
            const auto run = m_nodes.find(place->at(first));
            if (run != m_nodes.end()) {
                const bool holds = first + m_tree.node(run->second).repeat > place->block;
                return holds ? place->at(first) + place->behind : std::string();
            }
        }
        return path;
    }

    LensId m_lens;
    CostTree<Count> m_own; ///< empty if the design has one
    const CostTree<Count>& m_tree;
    std::optional<Count> m_whole;
    std::map<std::string, int> m_nodes;
};

std::size_t columnOf(const Table& table, std::string_view key)
{
    const auto found = std::find_if(table.columns.begin(),
                                    table.columns.end(),
                                    [key](const Column& column) { return column.key == key; });
    return static_cast<std::size_t>(found - table.columns.begin());
}

Cell differenceCell(const Cell& flops, const Cell& uses, std::optional<Count> other)
{
    const auto* count = std::get_if<Count>(&flops.value);
    const auto* times = std::get_if<Count>(&uses.value);
    if (count == nullptr || !other || *other <= 0) {
        return {.shown = kNoDifference};
    }
    const double once = toDouble(*count) / (times != nullptr ? toDouble(*times) : 1.0);
    return Cell::change(once / toDouble(*other) - 1.0);
}

} // namespace

void addDifferences(Table& costs, LensId lens, std::span<const ComparedDesign> designs)
{
    const std::size_t flops = columnOf(costs, "flops");
    const std::size_t uses = columnOf(costs, "times_used");
    std::size_t place = columnOf(costs, "share") + 1;
    for (const ComparedDesign& design : designs) {
        const PartPrices prices(design, lens);
        costs.columns.insert(
            costs.columns.begin() + static_cast<std::ptrdiff_t>(place),
            {.key = "against_" + design.letter, .title = "against " + design.letter});
        for (std::size_t i = 0; i < costs.rows.size(); ++i) {
            std::vector<Cell>& row = costs.rows[i];
            const std::optional<Count> other =
                i == 0 ? prices.whole() : prices.at(exactText(row.front()));
            Cell cell = differenceCell(row.at(flops), row.at(uses), other);
            row.insert(row.begin() + static_cast<std::ptrdiff_t>(place), std::move(cell));
        }
        ++place;
    }
}

} // namespace flopsmith
