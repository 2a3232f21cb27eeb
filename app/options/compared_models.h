// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options/options.h"
#include "core/study/compare/comparison.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// Several models with the same options.
struct ComparedModels
{
    std::vector<ComparedDesign> designs{};
    LensId lens = LensId::exact; ///< of the first model
    PairsRule pairs = PairsRule::exact;
    std::vector<std::string> notes{}; ///< each begins with the name of its model
};

/// Whether a comparison of so many models is possible; the Error gives the possible numbers.
Status canCompare(std::size_t models);

/// Loads all of them. The Error names the model that failed.
Result<ComparedModels> comparedModels(const ModelOptions& options,
                                      const std::vector<std::string>& models);

} // namespace flopsmith::app
