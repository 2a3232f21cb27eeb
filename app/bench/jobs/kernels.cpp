// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/kernels.h"

#include "core/fast/model_kernel.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/mixer.h"

namespace flopsmith::bench {
namespace {

using Prepared = Result<std::unique_ptr<Kernel>>;

struct Prepare
{
    const Operation& operation;
    Shape shape;
    WeightView<float> weights;
    const Inputs& on;
    cpu::Threads threads;
    cpu::Precision precision;

    Prepared operator()(const FfnSpec& ffn) const
    {
        return cpu::prepare(ffn, shape, weights, on.x, threads, precision);
    }
    Prepared operator()(const MixerSpec& mixer) const
    {
        const MixerInput input{
            .x = on.x, .cachedKeys = on.cachedKeys, .cachedValues = on.cachedValues};
        return cpu::prepare(mixer, shape, weights, input, threads, precision);
    }
    Prepared operator()(const NormOperation& n) const
    {
        return cpu::prepare(n.norm, shape, weights, on.x, threads);
    }
    Prepared operator()(const ResidualOperation& r) const
    {
        return cpu::prepareResidual(r.residual, on.x, on.addend, on.secondAddend, threads);
    }
    Prepared operator()(const EmbeddingOperation& e) const
    {
        return e.embedding.readsPatches()
            ? cpu::prepare(e.embedding, shape, weights, on.images, threads, precision)
            : cpu::prepare(e.embedding, shape, weights, on.tokenIds, threads, precision);
    }
    Prepared operator()(const ModelOperation& whole) const
    {
        const Result<ModelPlan> plan = planOf(whole, operation);
        return plan ? prepareModel(*plan, weights, on.model, threads, precision) : plan.error();
    }
    Prepared operator()(const HeadOperation& h) const
    {
        return cpu::prepare(h.head, h.vocab, shape, weights, on.x, threads, precision);
    }
};

struct PrepareBackward
{
    Shape shape;
    WeightView<float> weights;
    const Inputs& on;
    cpu::Threads threads;
    cpu::Precision precision;

    Prepared operator()(const auto& variant) const
    {
        return cpu::prepareBackward(variant, shape, weights, on.x, on.dy, threads, precision);
    }
    Prepared operator()(const NormOperation& n) const
    {
        return cpu::prepareBackward(n.norm, shape, weights, on.x, on.dy, threads);
    }
    Prepared operator()(const ModelOperation&) const
    {
        return Error{"a whole model is measured in its forward pass alone"};
    }
    Prepared operator()(const ResidualOperation& r) const // its own backward
    {
        return cpu::prepareResidual(r.residual, on.x, on.addend, on.secondAddend, threads);
    }
    Prepared operator()(const EmbeddingOperation& e) const
    {
        return e.embedding.readsPatches()
            ? cpu::prepareBackward(
                e.embedding, shape, weights, on.images, on.dy, threads, precision)
            : cpu::prepareBackward(
                e.embedding, shape, weights, on.tokenIds, on.dy, threads, precision);
    }
    Prepared operator()(const HeadOperation& h) const
    {
        return cpu::prepareBackward(
            h.head, h.vocab, shape, weights, on.x, on.dy, threads, precision);
    }
};

} // namespace

Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                         WeightView<float> weights,
                                         const Inputs& inputs,
                                         cpu::Threads threads,
                                         cpu::Precision precision)
{
    if (operation.pass == ComputePass::backward) {
        return std::visit(PrepareBackward{shapeOf(operation), weights, inputs, threads, precision},
                          operation.what);
    }
    return std::visit(Prepare{operation, shapeOf(operation), weights, inputs, threads, precision},
                      operation.what);
}

} // namespace flopsmith::bench
