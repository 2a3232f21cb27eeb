// SPDX-License-Identifier: MIT
#include "core/json/nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace flopsmith {
namespace {

// How many letters must be typed differently (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::string nearestNames(std::string_view wrong, std::vector<std::string_view> names)
{
    constexpr std::size_t kShown = 3;
    std::stable_sort(names.begin(), names.end(), [wrong](std::string_view a, std::string_view b) {
        return distance(wrong, a) < distance(wrong, b);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
        text += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    return text;
}

} // namespace flopsmith
