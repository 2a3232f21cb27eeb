// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/lab/task/closed_forms.h"
#include "core/lab/task/task_sources.h"
#include "core/lab/task/trained_teacher.h"
#include "core/train/recipe.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

// A frozen FFN whose outputs are standardised feature by feature.
class TeacherAndStudent final : public Task
{
public:
    static MadeTask create(const TeacherTask& spec,
                           int dModel,
                           std::uint64_t seed,
                           const Engine<float>& engine)
    {
        std::unique_ptr<TeacherAndStudent> task(new TeacherAndStudent(spec, dModel, seed));
        Random random = taskStream(seed, TaskStream::fixed, 0);
        if (spec.teacher == TeacherKind::trained) {
            FLOPSMITH_TRY(TrainedTeacher trained, trainedTeacher(spec, dModel, seed, engine));
            task->m_teacher = trained.ffn;
            task->m_weights = std::move(trained.weights);
            task->m_inputs = std::move(trained.inputs);
            task->m_testInputs = std::move(trained.testInputs);
        } else {
            for (const WeightShape& shape : flopsmith::weights(task->m_teacher, dModel)) {
                task->m_weights.push_back(drawnTensor(shape, random));
            }
        }
        const Shape rows{.batch = spec.batch, .dModel = dModel};
        task->m_executor = engine.ffn(task->m_teacher, rows, {})(task->m_weights);
        FLOPSMITH_RETURN_IF_ERROR(task->standardise(random));
        return std::unique_ptr<Task>(std::move(task));
    }

    TaskShape shape() const override
    {
        return {.learns = Learns::ffn, .batch = m_spec.batch, .sequence = 1};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return drawn(m_inputs, random);
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = taskStream(m_seed, TaskStream::test, 0);
        std::vector<TrainingBatch<float>> batches;
        for (int examples = 0; examples < m_spec.test; examples += m_spec.batch) {
            batches.push_back(drawn(m_testInputs, random));
        }
        return batches;
    }

    std::vector<ReferenceScore> references() const override
    {
        if (m_spec.teacher != TeacherKind::dense) {
            return {{"no FFN", 0.0}};
        }
        return {
            {"best linear map", linearShare(m_spec.activation)},
            {"best circulant map", linearShare(m_spec.activation) / static_cast<double>(m_dModel)}};
    }

private:
    TeacherAndStudent(const TeacherTask& spec, int dModel, std::uint64_t seed)
        : m_spec(spec)
        , m_dModel(dModel)
        , m_seed(seed)
        , m_teacher(teacherOf(spec, dModel))
    {}

    static FfnSpec teacherOf(const TeacherTask& spec, int dModel)
    {
        const int width = spec.widthFor(dModel);
        if (spec.teacher == TeacherKind::gated) {
            return GatedFfn{.dFf = width, .activation = spec.activation};
        }
        return DenseFfn{.dFf = width, .activation = spec.activation};
    }

    static std::vector<float> drawnTensor(const WeightShape& shape, Random& random)
    {
        const TensorRecipe recipe = genericRecipe(shape); // N(0, 1/rows), biases 0
        std::vector<float> tensor;
        for (std::int64_t i = 0; i < shape.size(); ++i) {
            const double value = recipe.deviation > 0.0 ? recipe.deviation * random.normal() : 0.0;
            tensor.push_back(static_cast<float>(value));
        }
        return tensor;
    }

    // Features of `rows` examples, some of `known` or normal; what is left over of a batch is zeros.
    TrainingInputs<float> inputs(const std::vector<float>& known, int rows, Random& random) const
    {
        TrainingInputs<float> x;
        const std::int64_t count = std::ssize(known) / m_dModel;
        for (int row = 0; row < rows && count > 0; ++row) {
            const auto from = known.begin() + random.integer(0, count - 1) * m_dModel;
            x.features.insert(x.features.end(), from, from + m_dModel);
        }
        for (std::int64_t i = 0; count == 0 && i < std::int64_t{rows} * m_dModel; ++i) {
            x.features.push_back(static_cast<float>(random.normal()));
        }
        x.features.resize(static_cast<std::size_t>(m_spec.batch * m_dModel));
        return x;
    }

    Status standardise(Random& random)
    {
        const auto d = static_cast<std::size_t>(m_dModel);
        m_mean.assign(d, 0.0);
        std::vector<double> squares(d, 0.0);
        for (int done = 0; done < m_spec.draws; done += m_spec.batch) {
            const int rows = std::min(m_spec.batch, m_spec.draws - done);
            FLOPSMITH_TRY(const auto y,
                          m_executor->forward(inputs(m_inputs, rows, random), Keep::nothing));
            for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * d; ++i) {
                const auto value = static_cast<double>(y[i]);
                m_mean[i % d] += value / m_spec.draws;
                squares[i % d] += value * value / m_spec.draws;
            }
        }
        for (std::size_t i = 0; i < d; ++i) {
            const double variance = squares[i] - m_mean[i] * m_mean[i];
            m_scale.push_back(variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0);
        }
        return Done{};
    }

    TrainingBatch<float> drawn(const std::vector<float>& known, Random& random) const
    {
        TrainingBatch<float> batch{.inputs = inputs(known, m_spec.batch, random), .targets = {}};
        const auto y = m_executor->forward(batch.inputs, Keep::nothing);
        const auto d = static_cast<std::size_t>(m_dModel);
        for (std::size_t i = 0; i < y->size(); ++i) {
            const double value = (static_cast<double>((*y)[i]) - m_mean[i % d]) * m_scale[i % d];
            batch.targets.values.push_back(static_cast<float>(value));
        }
        return batch;
    }

    TeacherTask m_spec;
    int m_dModel;
    std::uint64_t m_seed;
    FfnSpec m_teacher;
    Weights<float> m_weights;
    std::vector<float> m_inputs; ///< rows that a trained teacher reads; none: normal ones
    std::vector<float> m_testInputs;
    std::unique_ptr<Executor<float>> m_executor; ///< of the teacher
    std::vector<double> m_mean;
    std::vector<double> m_scale;
};

} // namespace

MadeTask taskOf(const TeacherTask& spec,
                int dModel,
                std::uint64_t seed,
                const Engine<float>& engine)
{
    return TeacherAndStudent::create(spec, dModel, seed, engine);
}

} // namespace flopsmith
