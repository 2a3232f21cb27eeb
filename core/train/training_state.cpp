// SPDX-License-Identifier: MIT
#include "core/train/training_state.h"

#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"

#include <charconv>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

namespace flopsmith {
namespace {

constexpr const char* kStepKey = "flopsmith_training_step";

template <class S>
constexpr TensorType storedAs()
{
    return std::is_same_v<S, double> ? TensorType::f64 : TensorType::f32;
}

// The groups of tensors that a state consists of.
template <class S>
struct StoredTensor
{
    std::string name;
    std::span<const S> values;
};

template <class S>
std::vector<StoredTensor<S>> storedTensors(const std::string& path,
                                           const std::vector<S>& weights,
                                           const std::vector<S>& moments)
{
    const std::span<const S> both(moments);
    return {{"weights/" + path, weights},
            {"first_moment/" + path, both.first(weights.size())},
            {"second_moment/" + path, both.subspan(weights.size())}};
}

Result<std::int64_t> stepOf(const SafetensorsFile& file)
{
    const auto found = file.metadata().find(kStepKey);
    std::int64_t step = 0;
    if (found != file.metadata().end()) {
        const std::string& text = found->second;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), step);
        if (problem == std::errc() && end == text.data() + text.size() && step >= 0) {
            return step;
        }
    }
    return Error{file.path() + " is no saved state of a training run: it does not say its step"};
}

template <class S>
Result<std::vector<S>> readTensor(const SafetensorsFile& file,
                                  const std::string& name,
                                  const WeightShape& shape)
{
    const SafetensorsTensor* tensor = file.find(name);
    if (tensor == nullptr) {
        return Error{file.path() + ": the tensor " + name
                     + " is missing; the state is of another model"};
    }
    const TensorShape wanted{shape.rows, shape.columns};
    if (tensor->shape != wanted || tensor->type != storedAs<S>()) {
        return Error{file.path() + ": " + name + " is " + std::string(nameOf(tensor->type)) + " "
                     + shapeText(tensor->shape) + ", not " + std::string(nameOf(storedAs<S>()))
                     + " " + shapeText(wanted)};
    }
    return file.readAs<S>(name);
}

} // namespace

template <class S>
Status saveState(const std::string& path,
                 const std::vector<ModelTensor>& tensors,
                 const TrainingState<S>& state,
                 const SafetensorsMetadata& metadata)
{
    std::vector<TensorToWrite> written;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const WeightShape& shape = tensors[i].shape;
        for (const StoredTensor<S>& stored :
             storedTensors<S>(tensors[i].path, state.weights[i], state.moments[i])) {
            written.push_back({.name = stored.name,
                               .type = storedAs<S>(),
                               .shape = {shape.rows, shape.columns},
                               .values = stored.values});
        }
    }
    SafetensorsMetadata all = metadata;
    all[kStepKey] = std::to_string(state.step);
    FLOPSMITH_RETURN_IF_ERROR(writeSafetensors(path, written, all));
    return Done{};
}

template <class S>
Result<SavedState<S>> loadState(const std::string& path, const std::vector<ModelTensor>& tensors)
{
    FLOPSMITH_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
    FLOPSMITH_TRY(const std::int64_t step, stepOf(file));
    SavedState<S> saved{.state = {.step = step, .weights = {}, .moments = {}},
                        .metadata = file.metadata()};
    saved.metadata.erase(kStepKey);
    for (const ModelTensor& tensor : tensors) {
        std::vector<std::vector<S>> parts;
        for (const char* group : {"weights/", "first_moment/", "second_moment/"}) {
            FLOPSMITH_TRY(std::vector<S> values,
                          readTensor<S>(file, group + tensor.path, tensor.shape));
            parts.push_back(std::move(values));
        }
        saved.state.weights.push_back(std::move(parts[0]));
        parts[1].insert(parts[1].end(), parts[2].begin(), parts[2].end());
        saved.state.moments.push_back(std::move(parts[1]));
    }
    if (file.tensors().size() != 3 * tensors.size()) {
        return Error{path + " has more tensors than this model; the state is of another one"};
    }
    return saved;
}

#define FLOPSMITH_STATE_INSTANCE(S)                                                                \
    template Status saveState<S>(const std::string&,                                               \
                                 const std::vector<ModelTensor>&,                                  \
                                 const TrainingState<S>&,                                          \
                                 const SafetensorsMetadata&);                                      \
    template Result<SavedState<S>> loadState<S>(const std::string&,                                \
                                                const std::vector<ModelTensor>&);
FLOPSMITH_STATE_INSTANCE(float)
FLOPSMITH_STATE_INSTANCE(double)
#undef FLOPSMITH_STATE_INSTANCE

} // namespace flopsmith
