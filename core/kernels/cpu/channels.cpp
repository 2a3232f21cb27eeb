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
    std::vector<float> row(padded(positions()));
    for (std::size_t i = 0; i < positions(); ++i) {
        const std::size_t channel =
            m_gathered.empty() ? i : static_cast<std::size_t>(m_gathered[i]);
        row[i] = values[channel * stride];
    }
    return row;
}

void ChannelList::gather(const float* values, float* row) const
{
    if (m_gathered.empty()) {
        transformMasked(
            values, row, m_mask.data(), m_dModel, [](Lanes v, std::size_t) { return v; });
        return;
    }
    for (std::size_t i = 0; i < m_gathered.size(); ++i) {
        row[i] = values[m_gathered[i]];
    }
}

void ChannelList::spread(const float* row, float* values, std::size_t stride) const
{
    if (m_gathered.empty()) {
        for (std::size_t i = 0; i < m_dModel; ++i) {
            values[i * stride] = m_mask[i] != 0 ? row[i] : 0.0F;
        }
        return;
    }
    for (std::size_t i = 0; i < m_dModel; ++i) {
        values[i * stride] = 0.0F;
    }
    for (std::size_t i = 0; i < m_gathered.size(); ++i) {
        values[static_cast<std::size_t>(m_gathered[i]) * stride] = row[i];
    }
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
