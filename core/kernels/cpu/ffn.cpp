// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn.h"

#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

class FfnKernel : public Kernel
{
public:
    FfnKernel(std::unique_ptr<Stage> stage, std::span<const float> x)
        : m_stage(std::move(stage))
        , m_x(x)
        , m_y(x.size())
    {}

    void run() override { m_stage->run(m_x.data(), m_y.data()); }
    std::span<const float> output() const override { return m_y.span(); }

private:
    std::unique_ptr<Stage> m_stage;
    std::span<const float> m_x;
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads,
                                        Precision precision)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && !shape.training);
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared(info(ffn).title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        FLOPSMITH_TRY(std::unique_ptr<Stage> stage,
                      makeStage(ffn, stageSizeOf(shape, threads, precision), weights));
        return std::unique_ptr<Kernel>(std::make_unique<FfnKernel>(std::move(stage), x));
    });
}

} // namespace flopsmith::cpu
