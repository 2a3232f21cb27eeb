// SPDX-License-Identifier: MIT
#include "core/train/recipe.h"

#include <cmath>
#include <string_view>
#include <variant>

namespace flopsmith {
namespace {

constexpr double kTableDeviation = 0.02; ///< of GPT-2's tables, which are 768 wide
constexpr double kTableWidth = 768.0;

using Recipes = std::vector<TensorRecipe>;

// For rows that are looked up, and for the matrix of logits, which often is such a table.
TensorRecipe tableRecipe(double width)
{
    return {.deviation = kTableDeviation * std::sqrt(kTableWidth / width), .decays = true};
}

// The heads of a recurrence begin with steps Δ from 0.001 to 0.1 and decays from 1 to 16, evenly on a
// logarithmic and on a linear scale, so that their states fade at different rates (Mamba-2).
TensorRecipe decayRecipe(std::string_view name, std::int64_t heads)
{
    constexpr double kShortestStep = 1e-3;
    constexpr double kLongestStep = 1e-1;
    constexpr double kFastestDecay = 16.0;
    TensorRecipe recipe;
    for (std::int64_t head = 0; head < heads; ++head) {
        const double place = (static_cast<double>(head) + 0.5) / static_cast<double>(heads);
        const double step = kShortestStep * std::pow(kLongestStep / kShortestStep, place);
        const double decay = 1.0 + place * (kFastestDecay - 1.0);
        recipe.columns.push_back(
            {.mean = name == "A_log" ? std::log(decay) : std::log(std::expm1(step))});
    }
    return recipe;
}

struct RecipesOfPart
{
    const ModelPart& part;
    int dModel;
    int layers;
    std::vector<std::string>* notes;

    Recipes operator()(const FfnSpec& ffn) const { return ffnRecipes(ffn, dModel, notes); }

    Recipes operator()(const MixerSpec& /*mixer*/) const
    {
        Recipes recipes = generic();
        for (std::size_t i = 0; i < recipes.size(); ++i) {
            const std::string_view name = part.shapes[i].name;
            if (name == "out.weight" || name == "out_proj.weight") {
                recipes[i].deviation /= std::sqrt(2.0 * layers);
            } else if (name == "dt_bias" || name == "A_log") {
                recipes[i] = decayRecipe(name, part.shapes[i].columns);
            }
        }
        return recipes;
    }

    Recipes operator()(const NormOperation& /*norm*/) const { return generic(); }
    Recipes operator()(const ResidualOperation& /*residual*/) const { return generic(); }

    Recipes operator()(const EmbeddingOperation& /*embedding*/) const
    {
        Recipes recipes = generic();
        for (std::size_t i = 0; i < recipes.size(); ++i) {
            const std::string_view name = part.shapes[i].name;
            if (name == "tokens" || name == "positions" || name == "token_types"
                || name == "extra_tokens") {
                recipes[i] = tableRecipe(static_cast<double>(part.shapes[i].columns));
            }
        }
        return recipes;
    }

    Recipes operator()(const HeadOperation& /*head*/) const
    {
        Recipes recipes = generic();
        for (std::size_t i = 0; i < recipes.size(); ++i) {
            if (part.shapes[i].name == "logits.weight") {
                recipes[i] = tableRecipe(static_cast<double>(part.shapes[i].columns));
            }
        }
        return recipes;
    }

private:
    Recipes generic() const
    {
        Recipes recipes;
        for (const WeightShape& shape : part.shapes) {
            recipes.push_back(genericRecipe(shape));
        }
        return recipes;
    }
};

} // namespace

std::vector<TensorRecipe> partRecipes(const ModelPart& part,
                                      int dModel,
                                      int layers,
                                      std::vector<std::string>* notes)
{
    return std::visit(RecipesOfPart{part, dModel, layers, notes}, part.spec);
}

TensorRecipe genericRecipe(const WeightShape& shape)
{
    if (shape.init == Init::normal) {
        return {.deviation = 1.0 / std::sqrt(static_cast<double>(shape.rows)),
                .decays = shape.rows > 1 && shape.columns > 1};
    }
    return {.mean = shape.init == Init::ones ? 1.0 : 0.0};
}

} // namespace flopsmith
