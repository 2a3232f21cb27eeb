// SPDX-License-Identifier: MIT
#include "core/lab/task/task_sources.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Modular addition and regression in context.
namespace flopsmith {
namespace {

// Tokens 0 … P − 1 are numbers, P is "=".
class ModularAddition final : public Task
{
public:
    ModularAddition(const ModularAdditionTask& spec, std::uint64_t seed)
        : m_modulus(spec.modulus)
    {
        std::vector<LabelledSequence> all;
        for (int a = 0; a < m_modulus; ++a) {
            for (int b = 0; b < m_modulus; ++b) {
                all.push_back({.tokens = {a, b, m_modulus},
                               .labels = {kNoLabel, kNoLabel, (a + b) % m_modulus}});
            }
        }
        Random random = taskStream(seed, TaskStream::fixed, 0);
        for (std::size_t i = all.size(); i > 1; --i) {
            std::swap(
                all[i - 1],
                all[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
        }
        const auto middle = all.begin() + std::ptrdiff_t((all.size() + 1) / 2);
        m_train.assign(all.begin(), middle);
        m_test.assign(middle, all.end());
    }

    TaskShape shape() const override
    {
        return {.batch = static_cast<int>(m_train.size()), .sequence = 3, .vocab = m_modulus + 1};
    }

    TrainingBatch<float> training(std::int64_t /*step*/) const override
    {
        return batchesOf(m_train, static_cast<int>(m_train.size())).front();
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        return batchesOf(m_test, static_cast<int>(m_train.size()));
    }

    std::vector<ReferenceScore> references() const override
    {
        return {{"chance", 1.0 / m_modulus}};
    }

private:
    int m_modulus;
    std::vector<LabelledSequence> m_train;
    std::vector<LabelledSequence> m_test;
};

// Token 2k holds x_k in the first channels, token 2k + 1 y_k/√inputs in the last one.
class RegressionInContext final : public Task
{
public:
    RegressionInContext(const RegressionTask& spec, int dModel, std::uint64_t seed)
        : m_spec(spec)
        , m_dModel(dModel)
        , m_seed(seed)
    {}

    TaskShape shape() const override
    {
        return {.learns = Learns::images,
                .batch = m_spec.batch,
                .sequence = tokens(),
                .imageSize = m_spec.side,
                .channels = m_spec.inputs + 1};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return drawn(0, random);
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = taskStream(m_seed, TaskStream::test, 0);
        std::vector<TrainingBatch<float>> batches;
        for (int examples = 0; examples < m_spec.test; examples += m_spec.batch) {
            batches.push_back(drawn(m_spec.pairs() - 1, random));
        }
        return batches;
    }

    // Without noise, least squares knows w as soon as it has seen as many pairs as there are inputs.
    std::vector<ReferenceScore> references() const override
    {
        const int seen = m_spec.pairs() - 1;
        const double unknown = 1.0 - static_cast<double>(seen) / m_spec.inputs;
        return {{"constant", 1.0}, {"least squares", std::max(0.0, unknown)}};
    }

private:
    int tokens() const { return m_spec.side * m_spec.side; }

    // Compares the prediction of y at the pairs from `from` on: the first output of their x.
    TrainingBatch<float> drawn(int from, Random& random) const
    {
        const int channels = m_spec.inputs + 1;
        const std::size_t image =
            static_cast<std::size_t>(channels) * static_cast<std::size_t>(tokens());
        TrainingBatch<float> batch;
        batch.inputs.features.assign(image * static_cast<std::size_t>(m_spec.batch), 0.0F);
        for (int i = 0; i < m_spec.batch; ++i) {
            std::vector<double> w;
            for (int k = 0; k < m_spec.inputs; ++k) {
                w.push_back(random.normal());
            }
            float* pixels = batch.inputs.features.data() + image * static_cast<std::size_t>(i);
            for (int pair = 0; pair < m_spec.pairs(); ++pair) {
                const double y = drawPair(w, pair, pixels, random);
                if (pair >= from) {
                    const int row = i * tokens() + 2 * pair;
                    batch.targets.places.push_back(static_cast<std::size_t>(row)
                                                   * static_cast<std::size_t>(m_dModel));
                    batch.targets.values.push_back(static_cast<float>(y));
                }
            }
        }
        return batch;
    }

    // Fills both tokens of a pair and returns y/√inputs, whose variance is 1.
    double drawPair(const std::vector<double>& w, int pair, float* pixels, Random& random) const
    {
        double y = 0.0;
        for (int k = 0; k < m_spec.inputs; ++k) {
            const double x = random.normal();
            y += w[static_cast<std::size_t>(k)] * x;
            pixels[k * tokens() + 2 * pair] = static_cast<float>(x);
        }
        y /= std::sqrt(static_cast<double>(m_spec.inputs));
        pixels[m_spec.inputs * tokens() + 2 * pair + 1] = static_cast<float>(y);
        return y;
    }

    RegressionTask m_spec;
    int m_dModel;
    std::uint64_t m_seed;
};

} // namespace

MadeTask taskOf(const ModularAdditionTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return std::unique_ptr<Task>(std::make_unique<ModularAddition>(spec, seed));
}

MadeTask taskOf(const RegressionTask& spec, int dModel, std::uint64_t seed)
{
    return std::unique_ptr<Task>(std::make_unique<RegressionInContext>(spec, dModel, seed));
}

} // namespace flopsmith
