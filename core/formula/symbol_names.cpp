// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/symbol_names.h"

#include <algorithm>
#include <array>
#include <vector>

namespace flopsmith {
namespace {

// The empty name stands for all letters without a place of their own.
constexpr std::array<std::string_view, 25> kPlaces{
    "d", "f", "H", "G",    "h", "w", "V", "d_e", "P", "N_types", "E",     "k", "F",
    "K", "n", "s", "s_mu", "M", "L", "N", "",    "B", "S",       "S_src", "C"};

constexpr std::array<std::string_view, 16> kGreek{"alpha",
                                                  "beta",
                                                  "gamma",
                                                  "delta",
                                                  "theta",
                                                  "kappa",
                                                  "eta",
                                                  "lambda",
                                                  "mu",
                                                  "nu",
                                                  "rho",
                                                  "sigma",
                                                  "tau",
                                                  "phi",
                                                  "psi",
                                                  "omega"};

template <class Names>
auto found(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name);
}

std::vector<std::string_view> words(std::string_view name)
{
    std::vector<std::string_view> all;
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find('_', start), name.size());
        all.push_back(name.substr(start, end - start));
        start = end + 1;
    }
    return all;
}

std::string latexWord(std::string_view word)
{
    if (found(kGreek, word) != kGreek.end()) {
        return "\\" + std::string(word);
    }
    const bool isNumber =
        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool isPlain = word.size() <= 1 || isNumber || word == "ff";
    return isPlain ? std::string(word) : "\\mathrm{" + std::string(word) + "}";
}

} // namespace

int symbolPlace(std::string_view base)
{
    const auto place = found(kPlaces, base);
    return static_cast<int>((place != kPlaces.end() ? place : found(kPlaces, ""))
                            - kPlaces.begin());
}

std::string latexName(std::string_view name)
{
    std::vector<std::string_view> parts = words(name);
    if (parts.front() == "f") { // d_ff, as papers write it
        parts.front() = "ff";
        parts.insert(parts.begin(), "d");
    }
    std::string text = latexWord(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        text += (i == 1 ? "_{" : ",") + latexWord(parts[i]);
    }
    return parts.size() > 1 ? text + "}" : text;
}

} // namespace flopsmith
