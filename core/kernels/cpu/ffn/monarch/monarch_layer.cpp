// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/monarch/monarch_layer.h"

#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// The inputs or outputs of a block in a tile.
template <class Value>
MatrixAt<Value> rowsOf(Value* tile, int block, int step, int stride, std::int64_t width)
{
    return {tile + std::int64_t{block} * step * width, stride * width};
}

// y[i, t] += bias[i]
void addBias(const float* bias, std::int64_t features, std::int64_t width, float* tile)
{
    for (std::int64_t i = 0; bias != nullptr && i < features; ++i) {
        for (std::int64_t t = 0; t < width; t += kLanes) {
            float* at = tile + i * width + t;
            store(at, load(at) + all(bias[i]));
        }
    }
}

// sums[i] (+)= Σ_t tile[i, t]
void sumTokensOfTile(const float* tile,
                     std::int64_t features,
                     std::int64_t width,
                     float* sums,
                     Into into)
{
    for (std::int64_t i = 0; i < features; ++i) {
        Lanes sum = load(tile + i * width);
        for (std::int64_t t = kLanes; t < width; t += kLanes) {
            sum += load(tile + i * width + t);
        }
        sums[i] = into == Into::accumulate ? sums[i] + sumOf(sum) : sumOf(sum);
    }
}

} // namespace

BlockProduct::BlockProduct(const BlockFactor& factor, const float* weight, Precision precision)
    : m_factor(factor)
    , m_weight(weight)
    , m_precision(precision)
{
    prepareLibrary();
}

MatrixAt<const float> BlockProduct::weightOf(int block) const
{
    return {m_weight + std::int64_t{block} * m_factor.blockOut(), m_factor.out};
}

void BlockProduct::forward(const float* x, float* y, std::int64_t width) const
{
    const BlockFactor& f = m_factor;
    for (int block = 0; block < f.blocks; ++block) {
        multiplyTransposedIn(m_precision,
                             {f.blockOut(), f.blockIn(), width},
                             weightOf(block),
                             rowsOf(x, block, f.inputStep(), f.stride(), width),
                             rowsOf(y, block, f.outputStep(), f.stride(), width));
    }
}

void BlockProduct::backwardInput(const float* dy, float* dx, std::int64_t width) const
{
    const BlockFactor& f = m_factor;
    for (int block = 0; block < f.blocks; ++block) {
        multiplyIn(m_precision,
                   {f.blockIn(), f.blockOut(), width},
                   weightOf(block),
                   rowsOf(dy, block, f.outputStep(), f.stride(), width),
                   Stored::notTransposed,
                   rowsOf(dx, block, f.inputStep(), f.stride(), width));
    }
}

void BlockProduct::backwardWeight(const float* x,
                                  const float* dy,
                                  std::int64_t width,
                                  float* gradient,
                                  Into into) const
{
    const BlockFactor& f = m_factor;
    for (int block = 0; block < f.blocks; ++block) {
        multiplyIn(m_precision,
                   {f.blockIn(), width, f.blockOut()},
                   rowsOf(x, block, f.inputStep(), f.stride(), width),
                   rowsOf(dy, block, f.outputStep(), f.stride(), width),
                   Stored::transposed,
                   {gradient + std::int64_t{block} * f.blockOut(), f.out},
                   into);
    }
}

void BlockProduct::forwardBlock(const float* x,
                                float* outputs,
                                std::int64_t tokens,
                                int block,
                                float* scratch) const
{
    const BlockFactor& f = m_factor;
    const float* from = x + std::int64_t{block} * f.inputStep();
    MatrixAt<const float> inputs{from, f.in};
    if (f.order == BlockOrder::strided) {
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (std::int64_t i = 0; i < f.blockIn(); ++i) {
                scratch[t * f.blockIn() + i] = from[t * f.in + i * f.stride()];
            }
        }
        inputs = {scratch, f.blockIn()};
    }
    multiplyIn(m_precision,
               {tokens, f.blockIn(), f.blockOut()},
               inputs,
               weightOf(block),
               Stored::notTransposed,
               {outputs, f.blockOut()});
}

MonarchLayer::MonarchLayer(const MonarchMatrix& matrix,
                           WeightView<float> tensors,
                           bool bias,
                           Precision precision)
    : m_first(matrix.first, tensors[0].data(), precision)
    , m_second(matrix.second, tensors[1].data(), precision)
    , m_bias(bias ? tensors[2].data() : nullptr)
{}

void MonarchLayer::forward(const float* x, float* between, float* y, std::int64_t width) const
{
    m_first.forward(x, between, width);
    m_second.forward(between, y, width);
    addBias(m_bias, out(), width, y);
}

void MonarchLayer::backward(const float* x,
                            const float* between,
                            const float* dy,
                            float* dBetween,
                            float* dx,
                            std::int64_t width,
                            const Gradients& gradients,
                            Into into) const
{
    m_second.backwardWeight(between, dy, width, gradients.second, into);
    m_second.backwardInput(dy, dBetween, width);
    m_first.backwardWeight(x, dBetween, width, gradients.first, into);
    m_first.backwardInput(dBetween, dx, width);
    if (m_bias != nullptr) {
        sumTokensOfTile(dy, out(), width, gradients.bias, into);
    }
}

std::int64_t MonarchLayer::scratchElements(std::int64_t tokens) const
{
    const auto ofBlock = [](const BlockFactor& factor) {
        return std::int64_t{factor.blockIn()} + factor.blockOut();
    };
    return tokens * std::max(ofBlock(m_first.factor()), ofBlock(m_second.factor()));
}

// Blocks are distributed over the threads; the output of a block is written directly to its final
// place.
void MonarchLayer::forwardRows(const float* x,
                               float* between,
                               float* y,
                               std::int64_t tokens,
                               Activation activation,
                               Threads threads,
                               float* scratch) const
{
    const std::int64_t each = scratchElements(tokens);
    const auto through =
        [&](const BlockProduct& product, const float* from, float* to, const auto& finish) {
            const BlockFactor& f = product.factor();
            const Threads busy = threadsFor(threads, tokens * product.macsPerToken() / 4);
            onThreads(busy, [&](int part) {
                float* outputs = scratch + part * each;
                float* inputs = outputs + tokens * f.blockOut();
                const Range mine = partOf(f.blocks, busy.count, part);
                for (auto block = static_cast<int>(mine.first); block < mine.last; ++block) {
                    product.forwardBlock(from, outputs, tokens, block, inputs);
                    finish(outputs, block);
                    for (std::int64_t i = 0; i < tokens * f.blockOut(); ++i) {
                        to[i / f.blockOut() * f.out + std::int64_t{block} * f.outputStep()
                           + i % f.blockOut() * f.stride()] = outputs[i];
                    }
                }
            });
        };
    through(m_first, x, between, [](float*, int) {});
    through(m_second, between, y, [&](float* outputs, int block) {
        const BlockFactor& f = m_second.factor();
        for (std::int64_t i = 0; m_bias != nullptr && i < tokens * f.blockOut(); ++i) {
            outputs[i] += m_bias[block + i % f.blockOut() * f.stride()];
        }
        addBiasAndActivate(
            activation, nullptr, outputs, static_cast<std::size_t>(tokens * f.blockOut()));
    });
}

MonarchLayer upLayer(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights)
{
    return {ffn.up(size.dModel), weights, ffn.bias, size.precision};
}

MonarchLayer downLayer(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights)
{
    return {
        ffn.down(size.dModel), weights.subspan(tensorsPerMatrix(ffn)), ffn.bias, size.precision};
}

void toTile(const float* rows,
            std::int64_t features,
            std::int64_t tokens,
            float* tile,
            std::int64_t width)
{
    transpose(rows, features, tokens, features, tile, width);
    for (std::int64_t i = 0; tokens < width && i < features; ++i) {
        std::fill(tile + i * width + tokens, tile + (i + 1) * width, 0.0F);
    }
}

void fromTile(const float* tile,
              std::int64_t features,
              std::int64_t width,
              float* rows,
              std::int64_t tokens)
{
    transpose(tile, width, features, tokens, rows, features);
}

std::int64_t tileWidth(const MonarchFfn& ffn, const StageSize& size, std::int64_t minWidth)
{
    constexpr std::int64_t kElements = 1 << 18; // 1 MiB of a second-level cache
    constexpr std::int64_t kMax = 128;
    const std::int64_t fits = kElements / (2 * std::int64_t{size.dModel} + ffn.dFf);
    const std::int64_t wanted = std::clamp(fits, minWidth, kMax);
    const std::int64_t ofThread = (size.tokens + size.threads.count - 1) / size.threads.count;
    constexpr std::int64_t kGrain = 16; // whole registers
    static_assert(kGrain % kLanes == 0);
    return (std::min(wanted, ofThread) + kGrain - 1) / kGrain * kGrain;
}

} // namespace flopsmith::cpu
