// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/symbolic_numbers.h"

#include "core/base/check.h"
#include "core/formula/symbol_names.h"

#include <map>
#include <tuple>

namespace flopsmith {
namespace {

// The exponent of a positive integer power of two, or -1.
int powerOfTwo(const GiNaC::numeric& number)
{
    if (!number.is_pos_integer()) {
        return -1;
    }
    const int length = number.int_length();
    return number == GiNaC::numeric(2).power(length - 1) ? length - 1 : -1;
}

} // namespace

bool precedes(const SizeSymbol& a, const SizeSymbol& b)
{
    const auto key = [](const SizeSymbol& size) {
        return std::tuple(symbolPlace(size.base), size.base, size.name.size(), size.name);
    };
    return key(a) < key(b);
}

GiNaC::ex SymbolTable::size(std::string_view base, std::int64_t value, std::string_view meaning)
{
    for (const SizeSymbol& known : m_sizes) {
        if (known.base == base && known.value == value) {
            return known.symbol;
        }
    }
    const std::string name(base);
    m_sizes.push_back({.base = name,
                       .name = name,
                       .meaning = std::string(meaning),
                       .value = value,
                       .symbol = GiNaC::symbol(name)});
    return m_sizes.back().symbol;
}

GiNaC::ex SymbolTable::log2(const GiNaC::ex& argument)
{
    const GiNaC::ex product = argument.expand();
    if (GiNaC::is_a<GiNaC::mul>(product)) {
        GiNaC::ex sum;
        for (const GiNaC::ex& factor : product) {
            sum += log2(factor);
        }
        return sum;
    }
    if (GiNaC::is_a<GiNaC::power>(product) && product.op(1).info(GiNaC::info_flags::integer)) {
        return product.op(1) * log2(product.op(0));
    }
    if (GiNaC::is_a<GiNaC::numeric>(product)) {
        const auto number = GiNaC::ex_to<GiNaC::numeric>(product);
        return logOfInteger(number.numer()) - logOfInteger(number.denom());
    }
    return logSymbol(product);
}

GiNaC::ex SymbolTable::logOfInteger(const GiNaC::numeric& number)
{
    const int exponent = powerOfTwo(number);
    return exponent >= 0 ? GiNaC::ex(exponent) : logSymbol(number);
}

GiNaC::ex SymbolTable::logSymbol(const GiNaC::ex& argument)
{
    for (const LogSymbol& known : m_logs) {
        if (known.argument.is_equal(argument)) {
            return known.symbol;
        }
    }
    m_logs.push_back({.argument = argument, .symbol = GiNaC::symbol("log2")});
    return m_logs.back().symbol;
}

GiNaC::ex SymbolTable::substituted(const GiNaC::ex& formula, const GiNaC::exmap& substitutions)
{
    GiNaC::exmap all = substitutions;
    const std::size_t logs = m_logs.size(); // log2() adds to them
    for (std::size_t i = 0; i < logs; ++i) {
        const GiNaC::ex symbol = m_logs[i].symbol;
        all[symbol] = log2(m_logs[i].argument.subs(substitutions));
    }
    return formula.expand().subs(all).expand();
}

bool SymbolTable::occurs(const SizeSymbol& size, const GiNaC::ex& formula) const
{
    bool found = formula.has(size.symbol);
    for (const LogSymbol& log : m_logs) {
        found = found || (formula.has(log.symbol) && log.argument.has(size.symbol));
    }
    return found;
}

void SymbolTable::rename(std::string_view base, std::string_view other)
{
    for (SizeSymbol& size : m_sizes) {
        if (size.base == base) {
            size.base = size.name = other;
            size.meaning.clear();
        }
    }
}

void SymbolTable::nameSizesOf(const GiNaC::ex& formula)
{
    std::map<std::string, int> named;
    const auto name = [&](SizeSymbol& size) {
        const int number = ++named[size.base];
        size.name = number == 1 ? size.base : size.base + "_" + std::to_string(number);
    };
    std::vector<SizeSymbol*> others;
    for (SizeSymbol& size : m_sizes) {
        if (occurs(size, formula)) {
            name(size);
        } else {
            others.push_back(&size);
        }
    }
    for (SizeSymbol* size : others) {
        name(*size);
    }
}

const SizeSymbol* SymbolTable::sizeNamed(std::string_view name) const
{
    for (const SizeSymbol& size : m_sizes) {
        if (size.name == name) {
            return &size;
        }
    }
    return nullptr;
}

GiNaC::numeric SymbolTable::valueOf(const GiNaC::ex& formula) const
{
    GiNaC::exmap values;
    for (const SizeSymbol& size : m_sizes) {
        values[size.symbol] = GiNaC::numeric(static_cast<long>(size.value));
    }
    const GiNaC::ex value = formula.subs(values);
    FLOPSMITH_CHECK(GiNaC::is_a<GiNaC::numeric>(value));
    return GiNaC::ex_to<GiNaC::numeric>(value);
}

} // namespace flopsmith
