// SPDX-License-Identifier: MIT
#include "core/train/training_start.h"

#include "core/base/content_hash.h"
#include "core/base/random.h"
#include "core/ffn/composed.h"
#include "core/kernels/reference/ffn.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

namespace flopsmith {
namespace {

constexpr double kOutputRms = 0.5; ///< of an FFN, over √(2·layers)
constexpr double kCalibrated = 1e-3; ///< relative
constexpr int kCalibrationRounds = 30;
constexpr int kSequences = 4;
constexpr int kSequenceTokens = 64;
constexpr std::uint64_t kCalibrationSeed = 20'210'907;

using Tensors = std::span<std::vector<double>>;

std::vector<double> drawn(const WeightShape& shape,
                          const TensorRecipe& recipe,
                          std::uint64_t seed,
                          const std::string& path)
{
    Random random(seed * 0x9E3779B97F4A7C15ULL ^ contentHash(path));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(shape.size()));
    for (std::int64_t i = 0; i < shape.size(); ++i) {
        double mean = recipe.mean;
        double deviation = recipe.deviation;
        if (!recipe.columns.empty()) {
            const auto column = static_cast<std::size_t>(i % shape.columns);
            mean = recipe.columns[column].mean;
            deviation = recipe.columns[column].deviation;
        }
        values.push_back(deviation > 0.0 ? mean + deviation * random.normal() : mean);
    }
    return values;
}

void scaleLast(std::span<const TensorRecipe> recipes, double factor, Tensors weights)
{
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (double& value : weights[i]) {
            value *= recipes[i].last ? factor : 1.0;
        }
    }
}

// Scales the last tensors until the output has the wanted RMS.
Calibration calibrated(const FfnSpec& ffn,
                       int dModel,
                       double wanted,
                       const std::string& path,
                       std::span<const TensorRecipe> recipes,
                       Tensors weights)
{
    const Weights<double> before(weights.begin(), weights.end());
    Calibration result{.path = path, .rms = outputRms(ffn, dModel, weights)};
    for (int round = 0; round < kCalibrationRounds; ++round) {
        result.reached = std::abs(result.rms / wanted - 1.0) < kCalibrated;
        if (result.reached || !std::isfinite(result.rms) || result.rms == 0.0) {
            break;
        }
        const double factor = wanted / result.rms;
        scaleLast(recipes, factor, weights);
        result.factor *= factor;
        result.rms = outputRms(ffn, dModel, weights);
    }
    if (!result.reached) {
        std::copy(before.begin(), before.end(), weights.begin());
        result.factor = 1.0;
        result.rms = outputRms(ffn, dModel, weights);
    }
    return result;
}

void calibrate(const FfnSpec& ffn,
               int dModel,
               double wanted,
               const std::string& path,
               std::span<const TensorRecipe> recipes,
               Tensors weights,
               std::vector<Calibration>& done)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    if (composed == nullptr) {
        if (!weights.empty()) {
            done.push_back(calibrated(ffn, dModel, wanted, path, recipes, weights));
        }
        return;
    }
    std::size_t first = composed->gate == GateKind::none ? 0 : 1;
    const double share = wanted / std::sqrt(static_cast<double>(composed->stages.size()));
    for (std::size_t i = 0; i < composed->stages.size(); ++i) {
        const FfnSpec& stage = composed->stages[i].spec;
        const std::size_t count = flopsmith::weights(stage, dModel).size();
        calibrate(stage,
                  dModel,
                  share,
                  path + "/stage[" + std::to_string(i) + "]",
                  recipes.subspan(first, count),
                  weights.subspan(first, count),
                  done);
        first += count;
    }
}

void roundToFloat(Weights<double>& weights)
{
    for (std::vector<double>& tensor : weights) {
        for (double& value : tensor) {
            value = static_cast<double>(static_cast<float>(value));
        }
    }
}

// Blocks that add to the residual stream.
int layersOf(const ModelPlan& plan)
{
    int mixers = 0;
    int ffns = 0;
    for (const ModelPart& part : plan.parts) {
        mixers += std::holds_alternative<MixerSpec>(part.spec) ? 1 : 0;
        ffns += std::holds_alternative<FfnSpec>(part.spec) ? 1 : 0;
    }
    return std::max({mixers, ffns, 1});
}

double wantedRms(int layers)
{
    return kOutputRms / std::sqrt(2.0 * layers);
}

} // namespace

WeightShapes TrainingStart::shapes() const
{
    WeightShapes shapes;
    for (const ModelTensor& tensor : tensors) {
        shapes.push_back(tensor.shape);
    }
    return shapes;
}

double outputRms(const FfnSpec& ffn, int dModel, WeightView<double> weights)
{
    const Shape shape{.batch = kSequences,
                      .sequence = kSequenceTokens,
                      .context = kSequenceTokens,
                      .dModel = dModel};
    const std::vector<double> x = randomActivations<double>(shape.activations(), kCalibrationSeed);
    std::vector<double> y(shape.activations());
    reference::forward<double>(ffn, shape, weights, x, y);
    double sum = 0.0;
    for (const double value : y) {
        sum += value * value;
    }
    return std::sqrt(sum / static_cast<double>(y.size()));
}

TrainingStart trainingStart(const ModelPlan& plan, std::uint64_t seed)
{
    const int layers = layersOf(plan);
    const int dModel = plan.decoder.dModel;
    TrainingStart start{.tensors = plan.tensors,
                        .recipes = std::vector<TensorRecipe>(plan.tensors.size()),
                        .weights = Weights<double>(plan.tensors.size()),
                        .calibrations = {},
                        .notes = {}};
    for (const ModelPart& part : plan.parts) {
        const std::vector<TensorRecipe> recipes =
            partRecipes(part, dModel, layers, start.notes.empty() ? &start.notes : nullptr);
        bool owns = !recipes.empty();
        for (std::size_t i = 0; i < recipes.size(); ++i) {
            const std::size_t tensor = part.tensors[i];
            const std::string& path = plan.tensors[tensor].path;
            if (path != part.path + "/" + part.shapes[i].name) {
                owns = false; // another part has drawn it
                continue;
            }
            start.recipes[tensor] = recipes[i];
            start.weights[tensor] = drawn(part.shapes[i], recipes[i], seed, path);
        }
        const auto* ffn = std::get_if<FfnSpec>(&part.spec);
        if (ffn != nullptr && owns) {
            const std::size_t first = part.tensors.front();
            calibrate(*ffn,
                      dModel,
                      wantedRms(layers),
                      part.path,
                      recipes,
                      Tensors(start.weights).subspan(first, recipes.size()),
                      start.calibrations);
        }
    }
    roundToFloat(start.weights);
    return start;
}

TrainingStart trainingStart(const FfnSpec& ffn, int dModel, std::uint64_t seed)
{
    TrainingStart start;
    start.recipes = ffnRecipes(ffn, dModel, &start.notes);
    const WeightShapes shapes = weights(ffn, dModel);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string path = "ffn/" + shapes[i].name;
        start.tensors.push_back({path, shapes[i]});
        start.weights.push_back(drawn(shapes[i], start.recipes[i], seed, path));
    }
    calibrate(ffn, dModel, wantedRms(1), "ffn", start.recipes, start.weights, start.calibrations);
    roundToFloat(start.weights);
    return start;
}

} // namespace flopsmith
