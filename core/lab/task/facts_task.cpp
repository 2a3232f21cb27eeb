// SPDX-License-Identifier: MIT
#include "core/lab/task/task_sources.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

class Facts final : public Task
{
public:
    Facts(const FactsTask& spec, int dModel, std::uint64_t seed)
        : m_spec(spec)
        , m_dModel(dModel)
        , m_seed(seed)
    {
        Random random = taskStream(seed, TaskStream::fixed, 0);
        const auto d = static_cast<std::size_t>(dModel);
        for (std::size_t i = 0; i < d * static_cast<std::size_t>(spec.facts); ++i) {
            m_keys.push_back(static_cast<float>(random.normal()));
        }
        for (int i = 0; i < spec.facts; ++i) {
            m_labels.push_back(static_cast<int>(random.integer(0, spec.classes - 1)));
        }
        for (std::size_t i = 0; i < d * static_cast<std::size_t>(spec.classes); ++i) {
            m_classes.push_back(
                static_cast<float>(random.normal() / std::sqrt(static_cast<double>(dModel))));
        }
    }

    TaskShape shape() const override
    {
        return {.learns = Learns::classifyingFfn, .batch = m_spec.batch, .sequence = 1};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        TrainingBatch<float> batch;
        for (int i = 0; i < m_spec.batch; ++i) {
            const auto fact = static_cast<std::size_t>(random.integer(0, m_spec.facts - 1));
            add(fact, m_labels[fact], batch);
        }
        return batch;
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        std::vector<TrainingBatch<float>> batches;
        for (int first = 0; first < m_spec.facts; first += m_spec.batch) {
            TrainingBatch<float> batch;
            for (int i = first; i < first + m_spec.batch; ++i) {
                const bool isFilling = i >= m_spec.facts;
                const auto fact = static_cast<std::size_t>(isFilling ? first : i);
                add(fact, isFilling ? kNoLabel : m_labels[fact], batch);
            }
            batches.push_back(std::move(batch));
        }
        return batches;
    }

    std::vector<ReferenceScore> references() const override
    {
        return {{"chance", 1.0 / m_spec.classes}};
    }

    std::vector<float> classes() const override { return m_classes; }

private:
    void add(std::size_t fact, int label, TrainingBatch<float>& batch) const
    {
        const auto key = m_keys.begin() + std::ptrdiff_t(fact) * m_dModel;
        batch.inputs.features.insert(batch.inputs.features.end(), key, key + m_dModel);
        batch.targets.labels.push_back(label);
    }

    FactsTask m_spec;
    int m_dModel;
    std::uint64_t m_seed;
    std::vector<float> m_keys; ///< [N, d]
    std::vector<int> m_labels;
    std::vector<float> m_classes; ///< [d, C]
};

} // namespace

MadeTask taskOf(const FactsTask& spec, int dModel, std::uint64_t seed)
{
    return std::unique_ptr<Task>(std::make_unique<Facts>(spec, dModel, seed));
}

} // namespace flopsmith
