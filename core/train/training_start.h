// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/weights.h"
#include "core/run/model_plan.h"
#include "core/train/recipe.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// The calibration of the output size of an FFN, or of a stage.
struct Calibration
{
    std::string path; ///< "blocks[0]/ffn", "blocks[0]/ffn/stage[1]"
    double factor = 1.0; ///< of its last tensors
    double rms = 0.0; ///< of its output now
    bool reached = false; ///< otherwise the tensors are as they were drawn

    bool operator==(const Calibration&) const = default;
};

/// The tensors of a model or FFN before the first step.
struct TrainingStart
{
    std::vector<ModelTensor> tensors;
    std::vector<TensorRecipe> recipes; ///< one per tensor
    Weights<double> weights; ///< every number is a float
    std::vector<Calibration> calibrations;
    std::vector<std::string> notes; ///< sentences: variants without rows of their own

    /// The weights in another precision.
    template <class S>
    Weights<S> weightsAs() const
    {
        Weights<S> result;
        for (const std::vector<double>& tensor : weights) {
            std::vector<S> values;
            values.reserve(tensor.size());
            for (const double value : tensor) {
                values.push_back(static_cast<S>(value));
            }
            result.push_back(std::move(values));
        }
        return result;
    }

    WeightShapes shapes() const;
};

/// Draws every tensor from the seed and its path, and calibrates every FFN.
TrainingStart trainingStart(const ModelPlan& plan, std::uint64_t seed);

/// The same for a single FFN, one layer deep, whose tensors have the paths "ffn/…".
TrainingStart trainingStart(const FfnSpec& ffn, int dModel, std::uint64_t seed);

/// RMS of the FFN's output on 256 tokens x ~ N(0, I_d) in 4 sequences.
double outputRms(const FfnSpec& ffn, int dModel, WeightView<double> weights);

} // namespace flopsmith
