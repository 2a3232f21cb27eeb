// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/stored_weights.h"

#include "core/export/files/finite_values.h"

#include <utility>

namespace flopsmith::torch {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    }
    return text + "]";
}

} // namespace

template <class S>
Result<Weights<S>> readStoredWeights(const SafetensorsFolder& file,
                                     const Model& model,
                                     const ModelPlan& plan,
                                     std::vector<std::string>* notes)
{
    FLOPSMITH_TRY(const auto stored, storedTensors(model, plan));
    Weights<S> weights(plan.tensors.size());
    for (const StoredTensor& tensor : stored) {
        const auto place = file.find(tensor.name);
        if (!place) {
            return Error{"the weights have no tensor " + tensor.name + ", which the model has as "
                         + shapeText(tensor.shape)};
        }
        if (place->tensor->shape != tensor.shape) {
            return Error{tensor.name + " is " + shapeText(place->tensor->shape)
                         + " in the weights and " + shapeText(tensor.shape) + " in the model"};
        }
        FLOPSMITH_TRY(std::vector<S> values, file.readAs<S>(tensor.name));
        const auto nonFinite =
            nonFiniteSentence(tensor.name, tensor.shape, std::span<const S>(values));
        if (nonFinite && notes != nullptr) {
            notes->push_back(*nonFinite);
        }
        WeightShape shape = plan.tensors[tensor.tensor].shape;
        std::swap(shape.rows, shape.columns);
        weights[tensor.tensor] = storedOrder(tensor, shape, std::move(values));
    }
    return weights;
}

template Result<Weights<float>> readStoredWeights<float>(const SafetensorsFolder&,
                                                         const Model&,
                                                         const ModelPlan&,
                                                         std::vector<std::string>*);
template Result<Weights<double>> readStoredWeights<double>(const SafetensorsFolder&,
                                                           const Model&,
                                                           const ModelPlan&,
                                                           std::vector<std::string>*);

} // namespace flopsmith::torch
