// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/channels/channel_stage.h"

#include "core/kernels/cuda/block/elements.cuh"

#include <utility>

namespace flopsmith::cuda {
namespace {

struct Transposition
{
    const float* from; ///< [columns, rows]
    std::int64_t rows;
    float* to;
    std::int64_t columns;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            to[row * columns + column + i] = from[(column + i) * rows + row];
        }
    }
};

} // namespace

PreparedChannelStage::PreparedChannelStage(const PolynomialFfn& ffn,
                                           int dModel,
                                           DeviceWeights weights,
                                           const Device& device)
{
    m_descriptor.kind = ChannelStage::Kind::polynomial;
    PolynomialValues& values = m_descriptor.polynomial;
    values = {.basis = ffn.basis,
              .terms = ffn.terms,
              .count = ffn.termCount(),
              .alpha = weights[0].data()};
    if (ffn.coefficients == CoefficientSharing::perChannel) {
        m_coefficients = DeviceBuffer<float>(device.memory(), weights[0].size());
        forEachElement(
            device,
            values.count,
            dModel,
            Transposition{weights[0].data(), values.count, m_coefficients.data(), dModel});
        values.alpha = m_coefficients.data();
        values.termStride = dModel;
        values.channelStride = 1;
    }
    const int kept = ffn.keptChannels(dModel);
    if (ffn.selection == ChannelSelection::fixed) {
        m_fixed = listAsBits(device, fixedChannels(ffn.seed, kept, dModel), dModel);
        m_descriptor.choice.fixed = {m_fixed.data(), 0};
    } else {
        m_keptOfGroups = DeviceBuffer<int>(device.memory(), std::vector<int>{kept});
        m_descriptor.choice.keptOfGroups = m_keptOfGroups.data();
    }
}

PreparedChannelStage::PreparedChannelStage(const MicroRefineFfn& ffn,
                                           int dModel,
                                           DeviceWeights weights,
                                           const Device& device)
{
    FLOPSMITH_CHECK(ffn.mode == MicroRefineMode::groups);
    m_descriptor.kind = ChannelStage::Kind::microRefine;
    m_descriptor.refinement = {weights[0].data(), weights[1].data(), weights[2].data()};
    ChannelChoice& choice = m_descriptor.choice;
    choice.groups = ffn.steps;
    if (ffn.selection == ChannelSelection::fixed) {
        m_fixed = listAsBits(device, ffn.fixedList(dModel), dModel);
        choice.fixed = {m_fixed.data(), 0};
        return;
    }
    std::vector<int> keptOfGroups;
    for (int group = 0; group < ffn.steps; ++group) {
        const int size = ffn.groupStart(group + 1, dModel) - ffn.groupStart(group, dModel);
        keptOfGroups.push_back(kept(ffn.keepRatio, size));
    }
    m_keptOfGroups = DeviceBuffer<int>(device.memory(), keptOfGroups);
    choice.keptOfGroups = m_keptOfGroups.data();
}

ChannelStageAlone::ChannelStageAlone(const Device& device,
                                     const StageSize& size,
                                     PreparedChannelStage stage)
    : m_device(device)
    , m_size(size)
    , m_stage(std::move(stage))
    , m_rowMemory(device.memory(), rowMemoryBytes(device, size.tokens, size.dModel))
{}

void ChannelStageAlone::run(const float* x, float* y)
{
    ChannelPass pass;
    pass.rows = m_size.tokens;
    pass.columns = m_size.dModel;
    pass.x = x;
    pass.to = y;
    pass.stageCount = 1;
    pass.stages[0] = m_stage.descriptor();
    pass.stages[0].chosen = m_chosen;
    cuda::run(m_device, pass, reinterpret_cast<float*>(m_rowMemory.data()));
}

} // namespace flopsmith::cuda
