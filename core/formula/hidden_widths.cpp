// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/hidden_widths.h"

#include <numeric>

namespace flopsmith {
namespace {

constexpr std::int64_t kLargestUnder = 3;

std::string multipleText(std::int64_t over, std::int64_t under)
{
    return (over == 1 ? "" : std::to_string(over)) + "d"
        + (under == 1 ? "" : "/" + std::to_string(under));
}

} // namespace

HiddenWidths::HiddenWidths(const SymbolTable& table)
{
    const SizeSymbol* dModel = table.sizeNamed("d");
    for (const SizeSymbol& size : table.sizes()) {
        if (dModel == nullptr || size.base != "f" || size.value < 1) {
            continue;
        }
        const std::int64_t common = std::gcd(size.value, dModel->value);
        const Width width{size, size.value / common, dModel->value / common};
        if (width.under <= kLargestUnder) {
            m_widths.push_back(width);
            m_substitutions[size.symbol] = dModel->symbol
                * GiNaC::numeric(static_cast<long>(width.over), static_cast<long>(width.under));
        }
    }
}

std::string HiddenWidths::given(const GiNaC::ex& formula, const SymbolTable& table) const
{
    std::string text;
    for (const Width& width : m_widths) {
        if (table.occurs(width.size, formula)) {
            text += (text.empty() ? "" : ", ") + width.size.name + " = "
                + multipleText(width.over, width.under);
        }
    }
    return text;
}

} // namespace flopsmith
