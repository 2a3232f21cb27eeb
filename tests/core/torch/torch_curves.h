// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "tests/core/torch/curve_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace flopsmith::test {

inline constexpr double kMaxApart = 1e-4; ///< of losses in float
inline constexpr double kMaxApartInDouble = 1e-10;
inline constexpr std::int64_t kStepsInDouble = 20;

/// So many steps of choices are compared in float: then a tie that is broken another way may show.
inline constexpr std::int64_t kStepsOfChoices = 20;

/// At nano rounding alone moves a float's loss by more than kMaxApart after 83 steps on some processors.
inline constexpr std::int64_t kNanoSteps = 50;

/// The losses of a file; empty if there is none.
inline std::vector<double> curveOf(const std::string& path)
{
    const Result<std::string> text = textOfFile(path);
    std::vector<double> losses;
    if (text) {
        const Json json = ownJson(*text);
        const Json& list = json.is_object() ? json.at("losses") : json;
        for (const Json& loss : list) {
            losses.push_back(loss.get<double>());
        }
    }
    return losses;
}

inline std::string goldenPath(const std::string& name)
{
    return FLOPSMITH_SOURCE_DIR "/tests/data/loss_curves/" + name + ".json";
}

/// The largest difference of two curves; infinite if one is shorter than `steps`.
inline double distance(const std::vector<double>& a,
                       const std::vector<double>& b,
                       std::int64_t steps)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i) {
        const double apart = i < a.size() && i < b.size() ? std::abs(a[i] - b[i])
                                                          : std::numeric_limits<double>::infinity();
        largest = std::isfinite(apart) ? std::max(largest, apart)
                                       : std::numeric_limits<double>::infinity();
    }
    return largest;
}

/// The first step, from 1, at which two curves are further apart; 0 if they never are.
inline std::int64_t firstApart(const std::vector<double>& a,
                               const std::vector<double>& b,
                               double most)
{
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!(std::abs(a[i] - b[i]) <= most)) {
            return static_cast<std::int64_t>(i) + 1;
        }
    }
    return 0;
}

} // namespace flopsmith::test
