// SPDX-License-Identifier: MIT
#include "core/torch/batch_file.h"

#include "core/io/safetensors/safetensors_writer.h"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace flopsmith::torch {
namespace {

/// One kind of numbers of all batches, one batch after the other.
template <class T>
struct Joined
{
    std::vector<T> values;
    bool fits = true; ///< every batch had as many as the first

    template <class Part>
    void add(const std::vector<Part>& part, std::size_t each)
    {
        fits = fits && part.size() == each;
        values.insert(values.end(), part.begin(), part.end());
    }
};

// The sizes of an image of the model that a plan is of, in front of them the batch.
TensorShape imageShape(const ModelPlan& plan)
{
    for (const ModelPart& part : plan.parts) {
        if (const auto* operation = std::get_if<EmbeddingOperation>(&part.spec)) {
            const Embedding& embedding = operation->embedding;
            return {
                plan.decoder.batch, embedding.channels, embedding.imageSize, embedding.imageSize};
        }
    }
    return {plan.decoder.batch};
}

class BatchWriter
{
public:
    BatchWriter(const ModelPlan& plan, std::span<const TrainingBatch<float>> batches)
        : m_plan(plan)
        , m_batches(batches)
    {
        for (const TrainingBatch<float>& batch : batches) {
            add(batch, batches.front());
        }
    }

    Status writeTo(const std::string& path)
    {
        if (!m_tokens.fits || !m_source.fits || !m_images.fits || !m_labels.fits || !m_values.fits
            || !m_places.fits) {
            return Error{"the batches have several sizes, and PyTorch gets them as one tensor"};
        }
        const auto batch = static_cast<std::int64_t>(m_plan.decoder.batch);
        describe("tokens", m_tokens.values, {batch, -1});
        describe("source", m_source.values, {batch, -1});
        describe("images", m_images.values, imageShape(m_plan));
        describe("labels", m_labels.values, {batch, -1});
        describe("values", m_values.values, {-1});
        describe("places", m_places.values, {-1});
        const auto written = writeSafetensors(path, m_tensors, {{"format", "pt"}});
        return written ? Status(Done{}) : Status(written.error());
    }

private:
    void add(const TrainingBatch<float>& batch, const TrainingBatch<float>& first)
    {
        m_tokens.add(batch.inputs.tokens, first.inputs.tokens.size());
        m_source.add(batch.inputs.source, first.inputs.source.size());
        m_images.add(batch.inputs.features, first.inputs.features.size());
        m_labels.add(batch.targets.labels, first.targets.labels.size());
        m_values.add(batch.targets.values, first.targets.values.size());
        m_places.add(batch.targets.places, first.targets.places.size());
    }

    // Of the sizes of a batch one may be what the others leave: -1.
    template <class T>
    void describe(const char* name, const std::vector<T>& values, TensorShape shape)
    {
        if (values.empty()) {
            return;
        }
        shape.insert(shape.begin(), std::ssize(m_batches));
        std::int64_t known = 1;
        for (const std::int64_t size : shape) {
            known *= size > 0 ? size : 1;
        }
        for (std::int64_t& size : shape) {
            size = size > 0 ? size : std::ssize(values) / known;
        }
        constexpr bool isReal = std::is_same_v<T, float>;
        m_tensors.push_back({.name = name,
                             .type = isReal ? TensorType::f32 : TensorType::i32,
                             .shape = std::move(shape),
                             .values = std::span<const T>(values)});
    }

    const ModelPlan& m_plan;
    std::span<const TrainingBatch<float>> m_batches;
    Joined<std::int32_t> m_tokens;
    Joined<std::int32_t> m_source;
    Joined<float> m_images;
    Joined<std::int32_t> m_labels;
    Joined<float> m_values;
    Joined<std::int32_t> m_places;
    std::vector<TensorToWrite> m_tensors;
};

} // namespace

Status writeBatches(const std::string& path,
                    const ModelPlan& plan,
                    std::span<const TrainingBatch<float>> batches)
{
    return BatchWriter(plan, batches).writeTo(path);
}

} // namespace flopsmith::torch
