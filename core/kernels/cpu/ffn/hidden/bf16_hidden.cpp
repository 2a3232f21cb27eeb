// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/bf16_hidden.h"

#include "core/kernels/cpu/gemm/bf16/bf16_few_rows.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/activation_lanes.h"
#include "core/kernels/cpu/simd/bf16_lanes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kHiddenPanel = BlockSize::kPanel;
constexpr std::int64_t kHiddenRegisters = kHiddenPanel / kLanes;

// The biases of a panel's columns; zeros without a bias and beyond the last column.
class PanelBias
{
public:
    PanelBias(const float* bias, const Range& columns)
    {
        if (bias != nullptr) {
            std::copy_n(bias + columns.first, columns.size(), m_values.begin());
        }
    }

    Lanes operator[](std::int64_t i) const { return load(m_values.data() + i * kLanes); }

private:
    std::array<float, kHiddenPanel> m_values{};
};

// Rounds the values of a block into its columns of `to`. valuesOf(panel, its columns) returns a
// function of (row, register).
template <class ValuesOf>
void roundBlock(const Range& rows, const Range& block, RoundedRows& to, const ValuesOf& valuesOf)
{
    Range columns = block;
    for (; columns.first < block.last; columns.first = columns.last) {
        columns.last = std::min(block.last, columns.first + kHiddenPanel);
        const auto value = valuesOf((columns.first - block.first) / kHiddenPanel, columns);
        const TileColumns place = to.columnsAt(rows.first, columns.first);
        for (std::int64_t r = 0; r < rows.size(); ++r) {
            Bfloat16* row = place.row(r);
            for (std::int64_t i = 0; i < kHiddenRegisters; ++i) {
                const Bfloat16Lanes rounded = roundedToBfloat16(value(r, i));
                std::memcpy(row + i * kLanes, &rounded, sizeof rounded);
            }
            std::fill(row + columns.size(), row + kHiddenPanel, Bfloat16{0});
        }
    }
}

Lanes loadPanel(const float* sums, std::int64_t row, std::int64_t i)
{
    return load(sums + row * kHiddenPanel + i * kLanes);
}

} // namespace

bool RoundedHiddenStage::isFor(const StageSize& size)
{
    return size.precision == Precision::bfloat16 && size.tokens > kFewRoundedRows;
}

RoundedHiddenStage::RoundedHiddenStage(const HiddenLayer& layer,
                                       const StageSize& size,
                                       std::int64_t dFf)
    : m_layer(layer)
    , m_dModel(size.dModel)
    , m_dFf(dFf)
    , m_threads(size.threads)
    , m_blocks(HiddenBlocks::of(size, dFf))
    , m_x(m_blocks.tokens(), m_dModel)
    , m_hidden(m_blocks.tokens(), dFf)
{}

void RoundedHiddenStage::run(const float* x, float* y)
{
    m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
        const Threads busy = threadsFor(m_threads, tokens * m_dModel * m_dFf);
        onThreads(busy, [&](int part) {
            m_x.round(x + first * m_dModel, partOf(tokens, busy.count, part, BlockSize::kRowGrain));
        });
        onThreads(busy, [&](int part) {
            const Slice slice = sliceOf(tokens, m_dFf, busy, part);
            if (m_layer.gate() == nullptr) {
                projectUp(slice);
            } else {
                projectUpGated(slice);
            }
        });
        onThreads(busy, [&](int part) {
            projectDown(y + first * m_dModel, sliceOf(tokens, m_dModel, busy, part));
        });
    });
}

void RoundedHiddenStage::projectUp(const Slice& slice)
{
    const std::int64_t first = slice.columns.first;
    withActivation(m_layer.activation(), [&](const auto& act) {
        multiplyTiles<1>(
            m_x.tiles(),
            slice.tokens,
            slice.columns.size(),
            RoundedWeight::panelsOf(first, *m_layer.up().rounded()),
            [&](const Range& rows, const Range& some, const BlockSums<1>& sums) {
                const Range block{first + some.first, first + some.last};
                roundBlock(rows, block, m_hidden, [&](std::int64_t panel, const Range& columns) {
                    const float* up = sums.panel(panel);
                    const PanelBias bias(m_layer.up().bias(), columns);
                    return [=, &act](std::int64_t r, std::int64_t i) {
                        return act(loadPanel(up, r, i) + bias[i]);
                    };
                });
            });
    });
}

void RoundedHiddenStage::projectUpGated(const Slice& slice)
{
    const std::int64_t first = slice.columns.first;
    withGate(m_layer.activation(), m_layer.gateValues(), [&](const auto& gated) {
        multiplyTiles<2>(
            m_x.tiles(),
            slice.tokens,
            slice.columns.size(),
            RoundedWeight::panelsOf(first, *m_layer.gate()->rounded(), *m_layer.up().rounded()),
            [&](const Range& rows, const Range& some, const BlockSums<2>& sums) {
                const Range block{first + some.first, first + some.last};
                roundBlock(rows, block, m_hidden, [&](std::int64_t panel, const Range& columns) {
                    const float* gates = sums.panel(panel, 0);
                    const float* up = sums.panel(panel, 1);
                    const PanelBias gateBias(m_layer.gate()->bias(), columns);
                    const PanelBias upBias(m_layer.up().bias(), columns);
                    return [=, &gated](std::int64_t r, std::int64_t i) {
                        return gated(loadPanel(gates, r, i) + gateBias[i],
                                     loadPanel(up, r, i) + upBias[i]);
                    };
                });
            });
    });
}

void RoundedHiddenStage::projectDown(float* y, const Slice& slice) const
{
    const std::int64_t first = slice.columns.first;
    multiplyTiles<1>(
        m_hidden.tiles(),
        slice.tokens,
        slice.columns.size(),
        RoundedWeight::panelsOf(first, *m_layer.down().rounded()),
        [&](const Range& rows, const Range& some, const BlockSums<1>& sums) {
            float* to = y + rows.first * m_dModel + first + some.first;
            storeBlock(sums, rows.size(), some.size(), {to, m_dModel}, Sum::overwrite);
            for (std::int64_t r = 0; r < rows.size() && m_layer.down().bias() != nullptr; ++r) {
                addBiasAndActivate(Activation::none,
                                   m_layer.down().bias() + first + some.first,
                                   to + r * m_dModel,
                                   static_cast<std::size_t>(some.size()));
            }
        });
}

} // namespace flopsmith::cpu
