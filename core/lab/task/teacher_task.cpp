// SPDX-License-Identifier: MIT
#include "core/kernels/reference/ffn.h"
#include "core/lab/closed_forms.h"
#include "core/lab/task/task_sources.h"
#include "core/train/recipe.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr int kDrawsAtOnce = 256; ///< that are in memory

// A frozen random FFN whose outputs are standardised feature by feature.
class TeacherAndStudent final : public Task
{
public:
    TeacherAndStudent(const TeacherTask& spec, int dModel, std::uint64_t seed)
        : m_spec(spec)
        , m_dModel(dModel)
        , m_seed(seed)
        , m_teacher(teacherOf(spec, dModel))
    {
        Random random = taskStream(seed, TaskStream::fixed, 0);
        for (const WeightShape& shape : flopsmith::weights(m_teacher, dModel)) {
            const TensorRecipe recipe = genericRecipe(shape); // N(0, 1/rows), biases 0
            std::vector<double> tensor;
            for (std::int64_t i = 0; i < shape.size(); ++i) {
                tensor.push_back(recipe.deviation > 0.0 ? recipe.deviation * random.normal() : 0.0);
            }
            m_weights.push_back(std::move(tensor));
        }
        standardise(random);
    }

    TaskShape shape() const override
    {
        return {.learns = Learns::ffn, .batch = m_spec.batch, .sequence = 1};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return drawn(random);
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = taskStream(m_seed, TaskStream::test, 0);
        std::vector<TrainingBatch<float>> batches;
        for (int examples = 0; examples < m_spec.test; examples += m_spec.batch) {
            batches.push_back(drawn(random));
        }
        return batches;
    }

    std::vector<Oracle> oracles() const override
    {
        if (m_spec.teacher != TeacherKind::dense) {
            return {};
        }
        return {
            {"best linear map", linearShare(m_spec.activation)},
            {"all circulant maps", linearShare(m_spec.activation) / static_cast<double>(m_dModel)}};
    }

private:
    static FfnSpec teacherOf(const TeacherTask& spec, int dModel)
    {
        const int width = spec.widthFor(dModel);
        if (spec.teacher == TeacherKind::gated) {
            return GatedFfn{.dFf = width, .activation = spec.activation};
        }
        return DenseFfn{.dFf = width, .activation = spec.activation};
    }

    std::vector<double> outputs(const std::vector<double>& x) const
    {
        const auto rows = static_cast<int>(x.size() / static_cast<std::size_t>(m_dModel));
        std::vector<double> y(x.size());
        reference::forward<double>(
            m_teacher, Shape{.batch = rows, .dModel = m_dModel}, m_weights, x, y);
        return y;
    }

    std::vector<double> normals(int rows, Random& random) const
    {
        std::vector<double> x;
        for (std::int64_t i = 0; i < std::int64_t{rows} * m_dModel; ++i) {
            x.push_back(random.normal());
        }
        return x;
    }

    void standardise(Random& random)
    {
        const auto d = static_cast<std::size_t>(m_dModel);
        m_mean.assign(d, 0.0);
        std::vector<double> squares(d, 0.0);
        for (int done = 0; done < m_spec.draws; done += kDrawsAtOnce) {
            const int rows = std::min(kDrawsAtOnce, m_spec.draws - done);
            const std::vector<double> y = outputs(normals(rows, random));
            for (std::size_t i = 0; i < y.size(); ++i) {
                m_mean[i % d] += y[i] / m_spec.draws;
                squares[i % d] += y[i] * y[i] / m_spec.draws;
            }
        }
        for (std::size_t i = 0; i < d; ++i) {
            const double variance = squares[i] - m_mean[i] * m_mean[i];
            m_scale.push_back(variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0);
        }
    }

    TrainingBatch<float> drawn(Random& random) const
    {
        const std::vector<double> x = normals(m_spec.batch, random);
        const std::vector<double> y = outputs(x);
        TrainingBatch<float> batch;
        batch.inputs.features.assign(x.begin(), x.end());
        const auto d = static_cast<std::size_t>(m_dModel);
        for (std::size_t i = 0; i < y.size(); ++i) {
            batch.targets.values.push_back(
                static_cast<float>((y[i] - m_mean[i % d]) * m_scale[i % d]));
        }
        return batch;
    }

    TeacherTask m_spec;
    int m_dModel;
    std::uint64_t m_seed;
    FfnSpec m_teacher;
    Weights<double> m_weights;
    std::vector<double> m_mean;
    std::vector<double> m_scale;
};

} // namespace

MadeTask taskOf(const TeacherTask& spec, int dModel, std::uint64_t seed)
{
    return std::unique_ptr<Task>(std::make_unique<TeacherAndStudent>(spec, dModel, seed));
}

} // namespace flopsmith
