// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/weight_source.h"

#include "core/export/files/lazy_chunks.h"

namespace flopsmith::torch {

std::vector<float> storedValues(const ModelPlan& plan,
                                const StoredTensor& stored,
                                const WeightSource& weights)
{
    return storedOrder(
        stored, plan.tensors[stored.tensor].shape, weights.values<float>(plan, stored.tensor));
}

std::vector<TensorToWrite> tensorsToWrite(const ModelPlan& plan,
                                          const std::vector<StoredTensor>& stored,
                                          const WeightSource& weights,
                                          const std::stop_token& stop)
{
    const auto shared = std::make_shared<const ModelPlan>(plan);
    std::vector<TensorToWrite> tensors;
    for (const StoredTensor& tensor : stored) {
        const auto make = [=] { return storedValues(*shared, tensor, weights); };
        tensors.push_back({tensor.name, TensorType::f32, tensor.shape, lazyChunks(make, stop)});
    }
    return tensors;
}

} // namespace flopsmith::torch
