// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/program_tensors.h"

#include "core/base/file_handle.h"
#include "core/io/safetensors/safetensors_layout.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace flopsmith::bench {
namespace {

// Gives [rows, columns] as [columns, rows].
TensorChunks<float> transposed(const std::vector<float>& values, const WeightShape& shape)
{
    const auto rows = static_cast<std::uint64_t>(shape.rows);
    const auto columns = static_cast<std::uint64_t>(shape.columns);
    return [&values, rows, columns](std::uint64_t first, std::span<float> chunk) {
        std::uint64_t column = first / rows;
        std::uint64_t row = first % rows;
        for (float& value : chunk) {
            value = values[row * columns + column];
            if (++row == rows) {
                row = 0;
                ++column;
            }
        }
        return Status(Done{});
    };
}

TensorChunks<float> factorsOf(const ProgramDropout& dropout)
{
    return [&dropout](std::uint64_t first, std::span<float> chunk) {
        for (float& value : chunk) {
            value = static_cast<float>(dropout.factor(static_cast<std::size_t>(first++)));
        }
        return Status(Done{});
    };
}

std::span<const float> spanOf(const std::vector<float>& values)
{
    return values;
}

} // namespace

std::vector<TensorToWrite> stateTensors(const PartProgram& program,
                                        const Operation& operation,
                                        WeightView<float> weights)
{
    const WeightShapes shapes = weightShapes(operation);
    std::vector<TensorToWrite> all;
    for (const torch::TorchTensor& tensor : program.tensors) {
        const std::vector<float>& values = weights[tensor.index];
        all.push_back({tensor.name, TensorType::f32, tensor.shape, spanOf(values)});
        if (tensor.transposed) {
            all.back().values = transposed(values, shapes[tensor.index]);
        }
    }
    for (const torch::TorchBuffer& buffer : program.buffers) {
        all.push_back({buffer.name,
                       TensorType::i64,
                       buffer.shape,
                       std::span<const std::int64_t>(buffer.values)});
    }
    for (const ProgramDropout& dropout : program.dropouts) {
        all.push_back({"mask." + dropout.path,
                       TensorType::f32,
                       {operation.batch, operation.sequence, operation.dModel},
                       factorsOf(dropout)});
    }
    return all;
}

namespace {

// Adds those inputs that are not empty.
class InputList
{
public:
    explicit InputList(const Operation& operation)
        : m_batch(operation.batch)
    {}

    // [B, …, width], as many rows as there are.
    void add(const std::string& name, std::span<const float> values, std::int64_t width)
    {
        if (!values.empty()) {
            const auto size = static_cast<std::int64_t>(values.size());
            m_all.push_back(
                {name, TensorType::f32, {m_batch, size / m_batch / width, width}, values});
        }
    }

    void add(const std::string& name, const std::vector<int>& tokens)
    {
        if (!tokens.empty()) {
            const auto size = static_cast<std::int64_t>(tokens.size());
            m_all.push_back({name,
                             TensorType::i32,
                             {m_batch, size / m_batch},
                             std::span<const std::int32_t>(tokens)});
        }
    }

    void addImages(const std::vector<float>& images, const Embedding& embedding)
    {
        if (!images.empty()) {
            const std::int64_t side = embedding.imageSize;
            m_all.push_back({"images",
                             TensorType::f32,
                             {m_batch, embedding.channels, side, side},
                             spanOf(images)});
        }
    }

    std::vector<TensorToWrite> take() { return std::move(m_all); }

private:
    std::int64_t m_batch;
    std::vector<TensorToWrite> m_all;
};

} // namespace

std::vector<TensorToWrite> inputTensors(const Operation& operation, const Inputs& inputs)
{
    InputList list(operation);
    const std::int64_t width = operation.dModel;
    const std::size_t own = std::min(inputs.x.size(), shapeOf(operation).activations());
    list.add("x", spanOf(inputs.x).first(own), width);
    list.add("source", spanOf(inputs.x).subspan(own), width);
    list.add("f", inputs.addend, width);
    list.add("g", inputs.secondAddend, width);
    list.add("tokens", inputs.tokenIds);
    if (const auto* mixer = std::get_if<MixerSpec>(&operation.what)) {
        const CachedFeatures features = cachedFeatures(*mixer, operation.dModel);
        list.add("cached_keys", inputs.cachedKeys, features.keys);
        list.add("cached_values", inputs.cachedValues, features.values);
    }
    if (const auto* embedding = std::get_if<EmbeddingOperation>(&operation.what)) {
        list.addImages(inputs.images, embedding->embedding);
    }
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        list.add("tokens", inputs.model.tokens);
        list.add("source", inputs.model.source);
        list.addImages(inputs.model.images, whole->model.embedding);
    }
    if (computesGradients(operation)) {
        list.add("dy", inputs.dy, 1);
    }
    return list.take();
}

Status writeTensors(const std::string& path,
                    const std::vector<TensorToWrite>& tensors,
                    const std::stop_token& stop)
{
    const auto described = describedTensors(tensors);
    if (!described) {
        return described.error();
    }
    std::map<std::string_view, const TensorToWrite*> byName;
    for (const TensorToWrite& tensor : tensors) {
        byName.emplace(tensor.name, &tensor);
    }
    const std::vector<SafetensorsTensor> laid = laidOut(*described);
    const Result<std::string> start = safetensorsStart(laid, {});
    if (!start) {
        return start.error();
    }
    constexpr int kForThisUser = 0600;
    FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kForThisUser));
    const TensorBytes append = [&](std::string_view bytes) -> Status {
        if (stop.stop_requested()) {
            return Error{"stopped"};
        }
        return file.write(bytes) ? Status(Done{}) : Error{path + ": " + std::strerror(errno)};
    };
    Status status = append(*start);
    for (auto tensor = laid.begin(); tensor != laid.end() && status; ++tensor) {
        double rounding = 0.0;
        status = takeTensor(*byName.at(tensor->name), tensor->elements(), append, rounding);
    }
    return status;
}

} // namespace flopsmith::bench
