// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/channels.h"

namespace flopsmith::cpu {
namespace {

// Measured: gathering pays when fewer than an eighth of the channels are kept.
constexpr std::size_t kGatherBelow = 8;

} // namespace

ChannelList::ChannelList(const std::vector<int>& channels, int dModel)
    : m_dModel(static_cast<std::size_t>(dModel))
{
    if (channels.size() * kGatherBelow < m_dModel) {
        m_gathered = channels;
        return;
    }
    m_mask.assign(padded(m_dModel), 0);
    for (const int channel : channels) {
        m_mask[static_cast<std::size_t>(channel)] = -1;
    }
}

ChannelList::ChannelList(int dModel)
    : m_dModel(static_cast<std::size_t>(dModel))
    , m_mask(padded(m_dModel), -1)
{}

std::vector<float> ChannelList::arranged(const float* values, std::size_t stride) const
{
    const std::size_t count = m_gathered.empty() ? m_dModel : m_gathered.size();
    std::vector<float> row(padded(count));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t channel =
            m_gathered.empty() ? i : static_cast<std::size_t>(m_gathered[i]);
        row[i] = values[channel * stride];
    }
    return row;
}

std::size_t ChannelList::bytes() const
{
    return m_gathered.capacity() * sizeof(int) + m_mask.capacity() * sizeof(std::int32_t);
}

std::size_t ChannelList::mostBytes(int dModel)
{
    return padded(static_cast<std::size_t>(dModel)) * sizeof(std::int32_t);
}

std::size_t ChannelList::mostArrangedBytes(int dModel)
{
    return padded(static_cast<std::size_t>(dModel)) * sizeof(float);
}

} // namespace flopsmith::cpu
