// SPDX-License-Identifier: MIT
#include "core/lab/task/alphabet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kRare = "\xEF\xBF\xBD"; // U+FFFD

double entropyOf(const std::vector<std::size_t>& counts, double total)
{
    double entropy = 0.0;
    for (const std::size_t count : counts) {
        if (count > 0) {
            const double share = static_cast<double>(count) / total;
            entropy -= share * std::log(share);
        }
    }
    return entropy;
}

} // namespace

std::vector<std::string_view> charactersOf(std::string_view text)
{
    std::vector<std::string_view> found;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = begin + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        found.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return found;
}

Alphabet Alphabet::of(std::string_view text)
{
    std::map<std::string_view, int> counts;
    for (const std::string_view character : charactersOf(text)) {
        ++counts[character];
    }
    std::vector<std::pair<std::string_view, int>> frequent;
    for (const auto& each : counts) {
        if (each.second >= kRareBelow && each.first != kRare) {
            frequent.push_back(each);
        }
    }
    std::stable_sort(frequent.begin(), frequent.end(), [](const auto& a, const auto& b) {
        return a.second > b.second;
    });
    frequent.resize(std::min(frequent.size(), kMaxSymbols - 1));
    const bool hasRare = frequent.size() < counts.size();
    std::vector<std::string> symbols;
    for (const auto& each : frequent) {
        symbols.emplace_back(each.first);
    }
    std::sort(symbols.begin(), symbols.end());
    if (hasRare || symbols.size() < 2) {
        symbols.emplace_back(kRare);
    }
    if (symbols.size() < 2) {
        symbols.insert(symbols.begin(), " ");
    }
    return Alphabet(std::move(symbols));
}

Alphabet::Alphabet(std::vector<std::string> symbols)
    : m_symbols(std::move(symbols))
{}

std::vector<int> Alphabet::tokens(std::string_view text) const
{
    std::map<std::string_view, int> numbers;
    for (std::size_t i = 0; i < m_symbols.size(); ++i) {
        numbers[m_symbols[i]] = static_cast<int>(i);
    }
    const auto rare = numbers.find(kRare);
    std::vector<int> tokens;
    for (const std::string_view character : charactersOf(text)) {
        const auto known = numbers.find(character);
        if (known != numbers.end()) {
            tokens.push_back(known->second);
        } else if (rare != numbers.end()) {
            tokens.push_back(rare->second);
        }
    }
    return tokens;
}

std::string Alphabet::text(std::span<const int> tokens) const
{
    std::string text;
    for (const int token : tokens) {
        text += m_symbols.at(static_cast<std::size_t>(token));
    }
    return text;
}

TextEntropies entropiesOf(std::span<const int> tokens, int vocab)
{
    TextEntropies entropies{.uniform = std::log(static_cast<double>(vocab))};
    if (tokens.size() < 2) {
        return entropies;
    }
    const auto v = static_cast<std::size_t>(vocab);
    std::vector<std::size_t> single(v, 0);
    std::vector<std::size_t> before(v, 0);
    std::vector<std::size_t> pairs(v * v, 0);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto token = static_cast<std::size_t>(tokens[i]);
        ++single[token];
        if (i > 0) {
            const auto previous = static_cast<std::size_t>(tokens[i - 1]);
            ++before[previous];
            ++pairs[previous * v + token];
        }
    }
    const auto n = static_cast<double>(tokens.size());
    entropies.single = entropyOf(single, n);
    entropies.pair = entropyOf(pairs, n - 1.0) - entropyOf(before, n - 1.0);
    return entropies;
}

} // namespace flopsmith
