// SPDX-License-Identifier: MIT
#include "core/export/native_weights.h"

#include "core/base/printable.h"
#include "core/export/files/finite_values.h"

#include <algorithm>
#include <set>

namespace flopsmith {
namespace {

class CheckpointMatch
{
public:
    explicit CheckpointMatch(const SafetensorsFolder& checkpoint)
        : m_checkpoint(checkpoint)
    {}

    void add(const torch::StoredTensor& stored, std::vector<NativeTensor> natives)
    {
        ConvertedTensor converted{.stored = stored};
        for (NativeTensor& native : natives) {
            const auto place = found(native);
            if (!place) {
                problem(native.names.front() + " is missing; the model has it as "
                        + shapeText(native.shape));
            } else if (place->tensor->shape != native.shape) {
                problem(place->tensor->name + " is " + shapeText(place->tensor->shape)
                        + "; the model has it as " + shapeText(native.shape));
            } else if (!isFloatingPoint(place->tensor->type)) {
                problem(place->tensor->name + " is of type "
                        + std::string(nameOf(place->tensor->type))
                        + "; weights are F64, F32, F16 or BF16");
            } else {
                if (place->tensor->type == TensorType::f64 || native.form == NativeForm::lessOne) {
                    converted.type = TensorType::f64;
                }
                converted.sources.push_back({*place, std::move(native)});
            }
        }
        m_weights.tensors.push_back(std::move(converted));
    }

    ConvertedWeights take(const NativeFamily& family)
    {
        for (const SafetensorsFile& file : m_checkpoint.files()) {
            for (const SafetensorsTensor& tensor : file.tensors()) {
                if (!m_used.contains(tensor.name) && !isUnreadNative(family, tensor.name)) {
                    m_weights.unexpected.push_back(excerpt(tensor.name) + " "
                                                   + shapeText(tensor.shape)
                                                   + " is left out; the model has no such tensor");
                }
            }
        }
        return std::move(m_weights);
    }

private:
    void problem(std::string sentence) { m_weights.problems.push_back(std::move(sentence)); }

    std::optional<SafetensorsFolder::Place> found(const NativeTensor& native)
    {
        for (const std::string& name : native.names) {
            if (const auto place = m_checkpoint.find(name)) {
                m_used.insert(name);
                return place;
            }
        }
        return std::nullopt;
    }

    const SafetensorsFolder& m_checkpoint;
    std::set<std::string, std::less<>> m_used;
    ConvertedWeights m_weights;
};

// [rows, columns] → [columns, rows]
template <class T>
std::vector<T> transposed(const std::vector<T>& values, const TensorShape& shape)
{
    const auto rows = static_cast<std::size_t>(shape.at(0));
    const auto columns = static_cast<std::size_t>(shape.at(1));
    std::vector<T> result(values.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            result[column * rows + row] = values[row * columns + column];
        }
    }
    return result;
}

// Read in parts: a table of tokens may be as large as everything else.
Result<bool> haveEqualValues(const SafetensorsFolder::Place& a, const SafetensorsFolder::Place& b)
{
    constexpr std::uint64_t kPart = 1 << 16;
    if (a.tensor->shape != b.tensor->shape || !isFloatingPoint(a.tensor->type)
        || !isFloatingPoint(b.tensor->type)) {
        return false;
    }
    std::vector<double> ofA;
    std::vector<double> ofB;
    for (std::uint64_t first = 0; first < a.tensor->elements(); first += kPart) {
        const auto count = static_cast<std::size_t>(std::min(kPart, a.tensor->elements() - first));
        ofA.resize(count);
        ofB.resize(count);
        const Status readA = a.file->read(*a.tensor, first, std::span<double>(ofA));
        const Status readB = b.file->read(*b.tensor, first, std::span<double>(ofB));
        if (!readA || !readB) {
            return readA ? readB.error() : readA.error();
        }
        if (ofA != ofB) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<std::optional<std::string>> otherHead(const NativeFamily& family,
                                             const Model& model,
                                             const SafetensorsFolder& checkpoint)
{
    const auto head = std::ranges::find(family.names, "head.logits.weight", &NativeName::ours);
    const auto shape = TensorShape{model.embedding.vocab, model.embedding.tableWidth(model.dModel)};
    const auto tables = nativeTensors(family, model, "embedding.tokens.weight", shape);
    if (!model.head.isLm() || !model.head.tied || head == family.names.end() || !tables) {
        return std::optional<std::string>();
    }
    const std::string name(head->native);
    const auto matrix = checkpoint.find(name);
    for (const std::string& tableName : tables->front().names) {
        const auto table = checkpoint.find(tableName);
        if (!matrix || !table || tableName == name) {
            continue;
        }
        FLOPSMITH_TRY(const bool equal, haveEqualValues(*matrix, *table));
        return equal ? std::optional<std::string>() : std::optional(name);
    }
    return std::optional<std::string>();
}

Result<ConvertedWeights> convertedWeights(const NativeFamily& family,
                                          const Model& model,
                                          const ModelPlan& plan,
                                          const SafetensorsFolder& checkpoint)
{
    FLOPSMITH_TRY(const auto stored, torch::storedTensors(model, plan));
    CheckpointMatch match(checkpoint);
    for (const torch::StoredTensor& tensor : stored) {
        FLOPSMITH_TRY(std::vector<NativeTensor> natives,
                      nativeTensors(family, model, tensor.name, tensor.shape));
        match.add(tensor, std::move(natives));
    }
    return match.take(family);
}

template <class T>
Result<std::vector<T>> valuesOf(const ConvertedTensor& tensor, std::vector<std::string>* notes)
{
    std::vector<T> all;
    for (const ConvertedTensor::Source& source : tensor.sources) {
        const SafetensorsTensor& native = *source.place.tensor;
        std::vector<T> values(static_cast<std::size_t>(native.elements()));
        FLOPSMITH_RETURN_IF_ERROR(source.place.file->read(native, 0, std::span<T>(values)));
        const auto nonFinite =
            nonFiniteSentence(native.name, native.shape, std::span<const T>(values));
        if (nonFinite && notes != nullptr) {
            notes->push_back(*nonFinite);
        }
        if (source.native.form == NativeForm::transposed) {
            values = transposed(values, native.shape);
        } else if (source.native.form == NativeForm::lessOne) {
            for (T& value : values) {
                value += T(1);
            }
        }
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

template Result<std::vector<float>> valuesOf<float>(const ConvertedTensor&,
                                                    std::vector<std::string>*);
template Result<std::vector<double>> valuesOf<double>(const ConvertedTensor&,
                                                      std::vector<std::string>*);

} // namespace flopsmith
