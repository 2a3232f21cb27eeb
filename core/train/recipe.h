// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/run/model_plan.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A column of a tensor whose columns have different recipes.
struct ColumnRecipe
{
    double mean = 0.0;
    double deviation = 0.0;
    double rate = 1.0; ///< multiplies the tensor's

    bool operator==(const ColumnRecipe&) const = default;
};

/// How a tensor begins and learns.
struct TensorRecipe
{
    double mean = 0.0;
    double deviation = 0.0; ///< of normal draws around the mean
    double rate = 1.0; ///< κ: times the learning rate of the run
    bool last = false; ///< scaled until the output of its FFN has the wanted size
    bool decays = false;
    std::vector<ColumnRecipe> columns{}; ///< in place of mean and deviation; empty: all are alike

    bool operator==(const TensorRecipe&) const = default;
};

/// One for each tensor of weights(ffn, d), in that order, including the stages of a composed FFN. A
/// variant without recipes of its own gets genericRecipe(), and a sentence in `notes`.
std::vector<TensorRecipe> ffnRecipes(const FfnSpec& ffn,
                                     int dModel,
                                     std::vector<std::string>* notes = nullptr);

/// One for each of a part's shapes. `layers`: blocks that add to the residual stream; the matrices
/// that write into it from a mixer are 1/√(2·layers) smaller.
std::vector<TensorRecipe> partRecipes(const ModelPart& part,
                                      int dModel,
                                      int layers,
                                      std::vector<std::string>* notes = nullptr);

/// Matrices N(0, 1/rows), which decay; vectors 1 or 0, which do not.
TensorRecipe genericRecipe(const WeightShape& shape);

} // namespace flopsmith
