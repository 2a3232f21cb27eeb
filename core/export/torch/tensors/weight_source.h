// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/tensors/stored_tensors.h"
#include "core/io/safetensors/tensor_source.h"
#include "core/kernels/weights.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace flopsmith::torch {

/// The weights of an export: trained ones, or random ones from a seed plus a tensor's index in the
/// plan.
struct WeightSource
{
    std::uint64_t seed = 7;
    std::shared_ptr<const Weights<double>> trained{}; ///< of the plan; null: drawn

    template <class S>
    std::vector<S> values(const ModelPlan& plan, std::size_t tensor) const
    {
        if (trained == nullptr) {
            return std::move(randomWeights<S>({plan.tensors[tensor].shape}, seed + tensor).front());
        }
        const std::vector<double>& from = (*trained)[tensor];
        return {from.begin(), from.end()};
    }
};

/// The values of one tensor as the state dict has them.
std::vector<float> storedValues(const ModelPlan& plan,
                                const StoredTensor& stored,
                                const WeightSource& weights);

/// All tensors, each produced when it is written; after a stop request the error "stopped".
std::vector<TensorToWrite> tensorsToWrite(const ModelPlan& plan,
                                          const std::vector<StoredTensor>& stored,
                                          const WeightSource& weights,
                                          const std::stop_token& stop = {});

} // namespace flopsmith::torch
