// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/stored_tensors.h"

#include <algorithm>

namespace flopsmith::torch {

Result<std::vector<StoredTensor>> storedTensors(const Model& model, const ModelPlan& plan)
{
    std::vector<StoredTensor> all;
    for (const TorchPart& part : torchParts(model)) {
        const auto step = std::ranges::find(plan.parts, part.path, &ModelPart::path);
        if (step == plan.parts.end()) {
            return Error{"the plan of " + model.name + " has no part " + part.path};
        }
        for (const TorchTensor& tensor : part.stored.tensors) {
            if (tensor.index >= step->tensors.size()) {
                return Error{part.path + " has no tensor " + tensor.name};
            }
            all.push_back({part.prefix + tensor.name,
                           step->tensors[tensor.index],
                           tensor.transposed,
                           tensor.shape});
        }
    }
    return all;
}

std::int64_t storedNumbers(const std::vector<StoredTensor>& stored, const ModelPlan& plan)
{
    std::int64_t numbers = 0;
    for (const StoredTensor& tensor : stored) {
        numbers += plan.tensors[tensor.tensor].shape.size();
    }
    return numbers;
}

std::int64_t storedParameters(const std::vector<StoredTensor>& stored, const ModelPlan& plan)
{
    std::int64_t parameters = 0;
    for (const StoredTensor& tensor : stored) {
        const WeightShape& shape = plan.tensors[tensor.tensor].shape;
        parameters += shape.trainable ? shape.size() : 0;
    }
    return parameters;
}

std::vector<TorchBuffer> storedBuffers(const Model& model)
{
    std::vector<TorchBuffer> all;
    for (const TorchPart& part : torchParts(model)) {
        for (TorchBuffer buffer : part.stored.buffers) {
            buffer.name.insert(0, part.prefix);
            all.push_back(std::move(buffer));
        }
    }
    return all;
}

} // namespace flopsmith::torch
