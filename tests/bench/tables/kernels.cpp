// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/kernels.h"

#include "core/base/check.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/mixer_operands.h"

namespace flopsmith::bench {
namespace {

Shape shapeOf(const RunSize& run, int dModel)
{
    return {.batch = run.batch, .sequence = run.sequence, .context = run.context, .dModel = dModel};
}

struct Preparing
{
    const RunSize& run;
    Shape shape;
    const Weights<float>& weights;
    RunInput in;

    Result<std::unique_ptr<Kernel>> operator()(const FfnSpec& ffn) const
    {
        const cpu::Threads threads{run.threads};
        return run.backward
            ? cpu::prepareBackward(ffn, shape, weights, in.x, in.dy, threads, precision())
            : cpu::prepare(ffn, shape, weights, in.x, threads, precision());
    }
    Result<std::unique_ptr<Kernel>> operator()(const MixerSpec& mixer) const
    {
        const cpu::Threads threads{run.threads};
        return run.backward
            ? cpu::prepareBackward(mixer, shape, weights, in.x, in.dy, threads, precision())
            : cpu::prepare(mixer,
                           shape,
                           weights,
                           {in.x, in.cachedKeys, in.cachedValues},
                           threads,
                           precision());
    }
    template <class Other>
    Result<std::unique_ptr<Kernel>> operator()(const Other& /*operation*/) const
    {
        return Error{"it is neither an FFN nor a mixer"};
    }

    cpu::Precision precision() const
    {
        return run.precision == ComputePrecision::bfloat16 ? cpu::Precision::bfloat16
                                                           : cpu::Precision::float32;
    }
};

} // namespace

RunOperands::RunOperands(const Case& each, const RunSize& run, int dModel, int draw)
{
    const auto seed = [draw](std::uint64_t tensor) {
        return tensor + 16 * static_cast<std::uint64_t>(draw);
    };
    const Shape shape = shapeOf(run, dModel);
    std::size_t inputs = shape.activations();
    if (run.backward) {
        m_dy = randomActivations<float>(shape.activations(), seed(5));
    }
    if (const auto* mixer = std::get_if<MixerSpec>(&each.what)) {
        const MixerOperands sizes = operandsOf(*mixer, shape);
        inputs = sizes.x;
        m_keys = randomActivations<float>(sizes.cachedKeys, seed(3));
        m_values = randomActivations<float>(sizes.cachedValues, seed(4));
    }
    m_x = randomActivations<float>(inputs, seed(2));
}

Result<std::unique_ptr<Kernel>> prepareKernel(const Case& each,
                                              const RunSize& run,
                                              int dModel,
                                              const Weights<float>& weights,
                                              const RunOperands& operands)
{
    return std::visit(Preparing{run, shapeOf(run, dModel), weights, operands.input()}, each.what);
}

double flops(const Case& each, const RunSize& run, int dModel)
{
    Operation operation;
    operation.what = each.what;
    operation.dModel = dModel;
    operation.batch = run.batch;
    operation.sequence = run.sequence;
    operation.context = run.context;
    operation.pass = run.backward ? ComputePass::backward : ComputePass::forward;
    const OpCount<Count> c = costTree(operation).total().count;
    return toDouble(2 * c.mac + c.mul + c.add + c.div + c.sqrt + c.exp + c.cmp + c.fft);
}

} // namespace flopsmith::bench
