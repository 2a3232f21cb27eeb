// SPDX-License-Identifier: MIT
#include "core/ffn/ffn_variants.h"
#include "core/train/recipe.h"

#include <algorithm>
#include <cmath>
#include <string_view>

// Deviations keep the variance of a normalised token; rates move features as far as a dense layer's
// would: d_in/d_in(factor)/factors (Qiu et al. 2024, "Compute better spent").
namespace flopsmith {
namespace {

constexpr double kLargestKroneckerRate = 8.0;
constexpr double kVectorRate = 3.0; ///< of filters, coefficients, gains and gates
constexpr double kCoefficientDeviation = 0.02;
constexpr double kRouterDeviation = 0.02;
constexpr double kShiftDeviation = 0.1;

using Recipes = std::vector<TensorRecipe>;

double inverseRoot(double size)
{
    return 1.0 / std::sqrt(size);
}

// One of `factors` factors [in, …] whose product is a linear layer from `width`.
TensorRecipe factorRecipe(double in, double width, int factors)
{
    return {.deviation = inverseRoot(in), .rate = width / (in * factors), .decays = true};
}

Recipes genericRecipes(const WeightShapes& shapes)
{
    Recipes recipes;
    for (const WeightShape& shape : shapes) {
        recipes.push_back(genericRecipe(shape));
    }
    return recipes;
}

bool endsLayer(std::string_view name)
{
    return name.ends_with("c_proj.weight") || name.ends_with("down.weight");
}

// For a dense or gated FFN, and for experts of these kinds.
Recipes plainRecipes(const WeightShapes& shapes)
{
    Recipes recipes = genericRecipes(shapes);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        recipes[i].last = endsLayer(shapes[i].name);
    }
    return recipes;
}

Recipes recipesOf(const NoFfn& /*ffn*/, int /*dModel*/)
{
    return {};
}

Recipes recipesOf(const DenseFfn& ffn, int dModel)
{
    return plainRecipes(weights(ffn, dModel));
}

Recipes recipesOf(const GatedFfn& ffn, int dModel)
{
    return plainRecipes(weights(ffn, dModel));
}

Recipes recipesOf(const LowRankFfn& ffn, int dModel)
{
    Recipes recipes;
    for (const int in : {dModel, ffn.dFf}) {
        recipes.push_back(factorRecipe(in, in, 2));
        recipes.push_back(factorRecipe(ffn.rank, in, 2));
        if (ffn.bias) {
            recipes.push_back({});
        }
    }
    recipes[ffn.bias ? 4 : 3].last = true;
    return recipes;
}

// A [R·d₁, p] and B [R·d₂, p] have 1/(ρ·d₁·√R) and 1/(ρ·d₂·√R) as variances, so that the R terms
// have 1/d together.
TensorRecipe kroneckerRecipe(const KroneckerFactor& factor, double width)
{
    const double kept = static_cast<double>(factor.kept) / factor.out;
    const double inputs = kept * factor.in * std::sqrt(static_cast<double>(factor.rank));
    return {.deviation = inverseRoot(inputs),
            .rate = std::min(kLargestKroneckerRate, width / (2.0 * factor.in)),
            .decays = true};
}

Recipes recipesOf(const KroneckerFfn& ffn, int dModel)
{
    Recipes recipes;
    for (const KroneckerMatrix& matrix : {ffn.up(dModel), ffn.down(dModel)}) {
        const auto width = static_cast<double>(matrix.in());
        recipes.push_back(kroneckerRecipe(matrix.a, width));
        recipes.push_back(kroneckerRecipe(matrix.b, width));
        if (ffn.bias) {
            recipes.push_back({});
        }
    }
    recipes[ffn.bias ? 4 : 3].last = true;
    return recipes;
}

Recipes recipesOf(const MonarchFfn& ffn, int dModel)
{
    Recipes recipes;
    for (const MonarchMatrix& matrix : {ffn.up(dModel), ffn.down(dModel)}) {
        recipes.push_back(factorRecipe(matrix.first.blockIn(), matrix.in(), 2));
        recipes.push_back(factorRecipe(matrix.second.blockIn(), matrix.in(), 2));
        if (ffn.bias) {
            recipes.push_back({});
        }
    }
    recipes[ffn.bias ? 4 : 3].last = true;
    return recipes;
}

Recipes recipesOf(const SpectralFfn& /*ffn*/, int /*dModel*/)
{
    return {{.deviation = 1.0, .rate = kVectorRate, .last = true}};
}

// The power or degree of a coefficient.
int degreeOf(const PolynomialFfn& ffn, int term)
{
    switch (ffn.terms) {
    case PolynomialTerms::all: return term;
    case PolynomialTerms::odd: return 2 * term + 1;
    case PolynomialTerms::even: return 2 * term;
    }
    return term;
}

// 1/√((2m−1)!!): one over the RMS of x^m for a normal x.
double monomialRate(int degree)
{
    double product = 1.0;
    for (int odd = 3; odd < 2 * degree; odd += 2) {
        product *= odd;
    }
    return inverseRoot(product);
}

Recipes recipesOf(const PolynomialFfn& ffn, int /*dModel*/)
{
    TensorRecipe alpha{.rate = kVectorRate, .last = true};
    for (int term = 0; term < ffn.termCount(); ++term) {
        const int degree = degreeOf(ffn, term);
        const bool monomial = ffn.basis == PolynomialBasis::monomial;
        alpha.columns.push_back({.mean = degree == 1 ? 1.0 : 0.0,
                                 .deviation = degree == 1 ? 0.0 : kCoefficientDeviation,
                                 .rate = monomial ? monomialRate(degree) : 1.0});
    }
    return {alpha};
}

Recipes recipesOf(const MicroRefineFfn& /*ffn*/, int /*dModel*/)
{
    return {{.mean = 1.0, .rate = kVectorRate, .last = true},
            {.mean = 1.0, .rate = kVectorRate},
            {.rate = kVectorRate}};
}

Recipes recipesOf(const RandomProjectionFfn& /*ffn*/, int /*dModel*/)
{
    return {{.mean = 1.0, .rate = kVectorRate, .last = true},
            {.deviation = kShiftDeviation, .rate = kVectorRate}};
}

Recipes recipesOf(const TokenFeedbackFfn& ffn, int dModel)
{
    Recipes recipes;
    for (int set = 0; set < ffn.weightSets(); ++set) {
        TensorRecipe up = factorRecipe(ffn.rank, dModel, 2);
        up.last = true;
        recipes.push_back(factorRecipe(ffn.keptFeatures(dModel), dModel, 2));
        recipes.push_back({});
        recipes.push_back(up);
        recipes.push_back({.mean = 1.0});
        recipes.push_back({});
    }
    return recipes;
}

Recipes recipesOf(const MoeFfn& ffn, int dModel)
{
    const WeightShapes shapes = weights(ffn, dModel);
    Recipes recipes = plainRecipes(shapes);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string_view name = shapes[i].name;
        if (name == "router.weight" || name == "shared_gate.weight") {
            recipes[i].deviation = kRouterDeviation;
            recipes[i].last = false;
        }
    }
    return recipes;
}

struct RecipesOf
{
    int dModel;
    std::vector<std::string>* notes;

    Recipes operator()(const ComposedFfn& ffn) const
    {
        Recipes recipes;
        if (ffn.gate != GateKind::none) {
            recipes.push_back({.rate = kVectorRate}); // σ(0) = ½
        }
        for (const FfnStage& stage : ffn.stages) {
            const Recipes ofStage = ffnRecipes(stage.spec, dModel, notes);
            recipes.insert(recipes.end(), ofStage.begin(), ofStage.end());
        }
        return recipes;
    }

    template <class Spec>
    Recipes operator()(const Spec& ffn) const
    {
        if constexpr (requires { recipesOf(ffn, dModel); }) {
            return recipesOf(ffn, dModel);
        } else {
            if (notes != nullptr) {
                notes->push_back(std::string(Spec::info().title)
                                 + " has no rows in core/train/ffn_recipes.cpp: its matrices begin "
                                   "as 1/√rows and learn at the plain rate");
            }
            return genericRecipes(weights(ffn, dModel));
        }
    }
};

} // namespace

std::vector<TensorRecipe> ffnRecipes(const FfnSpec& ffn,
                                     int dModel,
                                     std::vector<std::string>* notes)
{
    return visit(RecipesOf{dModel, notes}, ffn);
}

} // namespace flopsmith
