// SPDX-License-Identifier: MIT
#include "core/export/torch/drawn_tensors.h"

#include "core/export/lazy_chunks.h"
#include "core/kernels/weights.h"

#include <memory>
#include <utility>

namespace flopsmith::torch {

std::vector<float> drawnValues(const ModelPlan& plan,
                               const StoredTensor& stored,
                               std::uint64_t seed)
{
    const WeightShape& shape = plan.tensors[stored.tensor].shape;
    return storedOrder(
        stored, shape, std::move(randomWeights<float>({shape}, seed + stored.tensor).front()));
}

std::vector<TensorToWrite> drawnTensors(const ModelPlan& plan,
                                        const std::vector<StoredTensor>& stored,
                                        std::uint64_t seed)
{
    const auto shared = std::make_shared<const ModelPlan>(plan);
    std::vector<TensorToWrite> tensors;
    for (const StoredTensor& tensor : stored) {
        tensors.push_back({tensor.name, TensorType::f32, tensor.shape, lazyChunks([=] {
                               return drawnValues(*shared, tensor, seed);
                           })});
    }
    return tensors;
}

} // namespace flopsmith::torch
