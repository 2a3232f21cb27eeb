// SPDX-License-Identifier: MIT
#include "core/export/weights_file.h"

#include "core/export/torch/tensors/stored_tensors.h"
#include "core/run/model_plan.h"

#include <utility>

namespace flopsmith {
namespace {

Result<WeightsFile> writtenFile(const std::string& path,
                                const std::vector<TensorToWrite>& tensors,
                                const SafetensorsMetadata& metadata)
{
    WeightsFile file{.tensors = std::ssize(tensors)};
    for (const TensorToWrite& tensor : tensors) {
        std::int64_t elements = 1;
        for (const std::int64_t size : tensor.shape) {
            elements *= size;
        }
        file.elements += elements;
    }
    FLOPSMITH_TRY(WrittenSafetensors written, writeSafetensors(path, tensors, metadata));
    file.written = std::move(written);
    return file;
}

// Reads a chunk of a tensor in its own type.
template <class T>
TensorChunks<T> chunksOf(const SafetensorsFile& file, const SafetensorsTensor& tensor)
{
    return [&file, &tensor](std::uint64_t first, std::span<T> values) {
        return file.read(tensor, first, values);
    };
}

Result<TensorToWrite> copied(const SafetensorsFile& file,
                             const SafetensorsTensor& tensor,
                             std::optional<TensorType> type)
{
    if (tensor.type == TensorType::boolean) {
        return Error{tensor.name + " has truth values, which are not written"};
    }
    if (!isFloatingPoint(tensor.type)) {
        return TensorToWrite{
            tensor.name, TensorType::i64, tensor.shape, chunksOf<std::int64_t>(file, tensor)};
    }
    if (tensor.type == TensorType::f64) {
        return TensorToWrite{tensor.name,
                             type.value_or(TensorType::f64),
                             tensor.shape,
                             chunksOf<double>(file, tensor)};
    }
    return TensorToWrite{
        tensor.name, type.value_or(TensorType::f32), tensor.shape, chunksOf<float>(file, tensor)};
}

} // namespace

Result<WeightsFile> writeWeightsFile(const std::string& path,
                                     const Scenario& scenario,
                                     const torch::WeightSource& weights,
                                     TensorType type)
{
    FLOPSMITH_TRY(const ModelPlan plan, planOf(scenario));
    FLOPSMITH_TRY(const auto stored, torch::storedTensors(scenario.model, plan));
    std::vector<TensorToWrite> tensors = torch::tensorsToWrite(plan, stored, weights);
    for (TensorToWrite& tensor : tensors) {
        tensor.type = type;
    }
    const std::vector<torch::TorchBuffer> lists = torch::storedBuffers(scenario.model);
    for (const torch::TorchBuffer& list : lists) {
        tensors.push_back(
            {list.name, TensorType::i64, list.shape, std::span<const std::int64_t>(list.values)});
    }
    return writtenFile(path, tensors, {{"format", "pt"}, {"flopsmith", "1"}});
}

Result<WeightsFile> copyWeightsFile(const std::string& path,
                                    const SafetensorsFolder& from,
                                    std::optional<TensorType> type)
{
    std::vector<TensorToWrite> tensors;
    for (const SafetensorsFile& file : from.files()) {
        for (const SafetensorsTensor& tensor : file.tensors()) {
            FLOPSMITH_TRY(TensorToWrite copy, copied(file, tensor, type));
            tensors.push_back(std::move(copy));
        }
    }
    return writtenFile(path, tensors, from.metadata());
}

} // namespace flopsmith
