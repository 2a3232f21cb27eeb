// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/block_sums.h"

#include "core/formula/canonical_sum.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kMaxValues = 4; // f, f_2, f_3, f_4

// Index letters; no size has such a name.
constexpr std::array<std::string_view, 8> kIndices{"i", "j", "l", "u", "v", "x", "y", "z"};

std::string indexOf(std::size_t group)
{
    const std::size_t round = group / kIndices.size();
    return std::string(kIndices[group % kIndices.size()])
        + (round > 0 ? std::to_string(round + 1) : "");
}

std::map<std::string, int> valuesByBase(const GiNaC::ex& formula, const SymbolTable& table)
{
    std::map<std::string, int> values;
    for (const SizeSymbol& size : table.sizes()) {
        values[size.base] += table.occurs(size, formula) ? 1 : 0;
    }
    return values;
}

/// Runs whose formulas differ only in values: the formula in letters that stand for each run's own
/// sizes.
struct Group
{
    GiNaC::ex formula;
    std::map<std::string, std::vector<SizeSymbol>> sizes{}; ///< of each letter, a run's each
    std::vector<int> blocks{}; ///< the first of each run
    Count total = 0;
};

/// Sorts the runs of a tree into groups and words them.
class Summing
{
public:
    Summing(const PartCount& count,
            const CostTree<GiNaC::ex>& tree,
            const CostTree<Count>& numbers,
            const SymbolTable& table)
        : m_count(count)
        , m_tree(tree)
        , m_numbers(numbers)
        , m_table(table)
        , m_values(valuesByBase(count.inLetters(tree, 0).expand(), table))
    {
        for (int i = 1; i < tree.size(); ++i) {
            if (tree.node(i).parent == 0 && tree.node(i).name == "blocks") {
                addRun(i);
            } else if (tree.node(i).parent == 0) {
                m_rest += tree.node(i).repeat * count.inLetters(tree, i);
            }
        }
    }

    BlockSums sums()
    {
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            addSum(m_groups[i], indexOf(i));
        }
        addRest();
        return std::move(m_sums);
    }

private:
    // Letters of the run by base, the second value of one base as "f_2".
    void addRun(int node)
    {
        const GiNaC::ex own = (m_tree.node(node).repeat * m_count.inLetters(m_tree, node)).expand();
        GiNaC::exmap letters;
        std::map<std::string, int> named;
        std::map<std::string, SizeSymbol> sizes;
        for (const SizeSymbol& size : m_table.sizes()) {
            if (m_table.occurs(size, own)) {
                const int number = ++named[size.base];
                const std::string letter =
                    number == 1 ? size.base : size.base + "_" + std::to_string(number);
                letters[size.symbol] = m_alike.size(letter, 0, {});
                sizes.emplace(letter, size);
            }
        }
        for (const LogSymbol& log : m_table.logs()) {
            if (own.has(log.symbol)) {
                letters[log.symbol] = m_alike.log2(log.argument.subs(letters));
            }
        }
        Group& group = groupOf(own.subs(letters).expand());
        for (const auto& [letter, size] : sizes) {
            group.sizes[letter].push_back(size);
        }
        group.blocks.push_back(m_tree.node(node).index + 1);
        group.total += m_numbers.node(node).repeat * m_count.inNumbers(m_numbers, node);
    }

    Group& groupOf(const GiNaC::ex& formula)
    {
        const auto same = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& group) {
            return group.formula.is_equal(formula);
        });
        if (same != m_groups.end()) {
            return *same;
        }
        m_groups.push_back({.formula = formula});
        return m_groups.back();
    }

    bool hasIndex(const SizeSymbol& size) const { return m_values.at(size.base) > 1; }

    void addSum(const Group& group, const std::string& index)
    {
        SymbolTable named = m_alike;
        named.nameEach([&](const SizeSymbol& letter) {
            const auto found = group.sizes.find(letter.base);
            const bool indexed = found != group.sizes.end() && hasIndex(found->second.front());
            return indexed ? letter.base + "_" + index : letter.base;
        });
        const CanonicalSum sum(group.formula, named);
        append("sum_" + index + "(" + sum.text() + ")",
               "\\sum_{" + index + "}\\left(" + sum.latex() + "\\right)",
               digits(group.total));
        addIndex(group, index);
        for (const SizeSymbol& letter : sum.sizes()) {
            addLetter(letter, group.sizes.at(letter.base));
        }
    }

    void addIndex(const Group& group, const std::string& index)
    {
        SummedSymbol symbol;
        symbol.size.base = symbol.size.name = index;
        symbol.size.value = static_cast<std::int64_t>(group.blocks.size());
        symbol.size.meaning =
            "runs of equal blocks, the first at block " + std::to_string(group.blocks.front());
        m_sums.symbols.push_back(std::move(symbol));
    }

    void addLetter(const SizeSymbol& letter, const std::vector<SizeSymbol>& sizes)
    {
        const auto known = std::find_if(
            m_sums.symbols.begin(), m_sums.symbols.end(), [&](const SummedSymbol& symbol) {
                return symbol.size.name == letter.name;
            });
        if (known != m_sums.symbols.end()) {
            return;
        }
        const auto [min, max] = std::minmax_element(
            sizes.begin(), sizes.end(), [](const SizeSymbol& a, const SizeSymbol& b) {
                return a.value < b.value;
            });
        SummedSymbol symbol{.size = *min};
        symbol.size.name = letter.name;
        if (min->value < max->value) {
            symbol.values = std::to_string(min->value) + " to " + std::to_string(max->value);
        }
        m_sums.symbols.push_back(std::move(symbol));
    }

    void addRest()
    {
        SymbolTable named = m_table;
        named.nameSizesOf(m_rest.expand());
        const CanonicalSum rest(m_rest.expand(), named);
        if (rest.text() == "0") {
            return;
        }
        append(rest.text(), rest.latex(), rest.numbers());
        for (const SizeSymbol& size : rest.sizes()) {
            addLetter(size, {size});
        }
    }

    void append(const std::string& text, const std::string& latex, const std::string& numbers)
    {
        appendTo(m_sums.text, text);
        appendTo(m_sums.latex, latex);
        appendTo(m_sums.numbers, numbers);
    }

    static void appendTo(std::string& sum, const std::string& term)
    {
        const bool negative = !sum.empty() && term.front() == '-';
        sum += sum.empty() ? term : (negative ? " - " + term.substr(1) : " + " + term);
    }

    const PartCount& m_count;
    const CostTree<GiNaC::ex>& m_tree;
    const CostTree<Count>& m_numbers;
    const SymbolTable& m_table;
    std::map<std::string, int> m_values; ///< of each base in the whole formula
    SymbolTable m_alike; ///< letters that stand for the sizes of any run
    std::vector<Group> m_groups;
    GiNaC::ex m_rest; ///< embedding, norms, head
    BlockSums m_sums;
};

} // namespace

bool wantsBlockSums(const GiNaC::ex& formula, const SymbolTable& table)
{
    const std::map<std::string, int> values = valuesByBase(formula, table);
    return std::any_of(
        values.begin(), values.end(), [](const auto& base) { return base.second > kMaxValues; });
}

BlockSums blockSums(const PartCount& count,
                    const CostTree<GiNaC::ex>& tree,
                    const CostTree<Count>& numbers,
                    const SymbolTable& table)
{
    return Summing(count, tree, numbers, table).sums();
}

} // namespace flopsmith
