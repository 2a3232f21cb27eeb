// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class FfnBackwardKernel : public TrainingKernel
{
public:
    FfnBackwardKernel(const WeightShapes& shapes,
                      std::span<const float> x,
                      std::span<const float> dy)
        : m_x(x)
        , m_dy(dy)
        , m_output(dy.size(), shapes)
    {}

    GradientSpans gradients() const { return m_output.gradients(); }

    void begin(std::unique_ptr<BackwardStage> stage)
    {
        m_stage = std::move(stage);
        m_stage->save(m_x.data(),
                      m_output.input()); // y may go anywhere: dx replaces it
    }

    void forward(std::span<float> y) override
    {
        m_stage->weightsChanged();
        m_stage->save(m_x.data(), y.data());
    }

    void run() override { m_stage->run(m_dy.data(), m_output.input()); }
    std::span<const float> output() const override { return m_output.span(); }

private:
    std::span<const float> m_x;
    std::span<const float> m_dy;
    GradientOutput m_output;
    std::unique_ptr<BackwardStage> m_stage;
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const FfnSpec& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return madeFor(
        ffn, [&](const auto& spec) { return makeBackwardStage(spec, size, weights, gradients); });
}

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const FfnSpec& ffn,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && dy.size() == x.size());
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared<TrainingKernel>(
        info(ffn).title, threads, [&]() -> Result<std::unique_ptr<TrainingKernel>> {
            auto kernel =
                std::make_unique<FfnBackwardKernel>(flopsmith::weights(ffn, shape.dModel), x, dy);
            FLOPSMITH_TRY(
                std::unique_ptr<BackwardStage> stage,
                makeBackwardStage(
                    ffn, stageSizeOf(shape, threads, precision), weights, kernel->gradients()));
            kernel->begin(std::move(stage));
            return std::unique_ptr<TrainingKernel>(std::move(kernel));
        });
}

} // namespace flopsmith::cpu
