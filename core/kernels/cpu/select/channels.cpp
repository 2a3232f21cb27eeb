// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/select/channels.h"

#include <bit>

namespace flopsmith::cpu {
namespace {

// Measured: for a tanh of a quarter or half of the channels gathering takes two thirds of the time,
// for a polynomial of an eighth about the same.
bool isGathered(std::size_t count, std::size_t dModel, ChannelWork work)
{
    return work == ChannelWork::heavy ? 4 * count < 3 * dModel : 8 * count < dModel;
}

// Groups of channels may begin anywhere: their last register may end one register after the row.
std::size_t arrangedSize(std::size_t positions)
{
    return padded(positions) + kLanes;
}

} // namespace

ChannelList::ChannelList(std::span<const int> channels, int dModel, ChannelWork work)
    : m_dModel(static_cast<std::size_t>(dModel))
{
    if (isGathered(channels.size(), m_dModel, work)) {
        m_list.assign(channels.begin(), channels.end());
        m_listed.assign(padded(m_dModel) / kLanes, 0);
        for (const int channel : channels) {
            const auto at = static_cast<std::size_t>(channel);
            m_listed[at / kLanes] |= static_cast<LaneBits>(1U << at % kLanes);
        }
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

LedgerVector<float> ChannelList::arranged(const float* values, std::size_t stride) const
{
    LedgerVector<float> row(arrangedSize(positions()));
    for (std::size_t i = 0; i < positions(); ++i) {
        const std::size_t channel = m_list.empty() ? i : static_cast<std::size_t>(m_list[i]);
        row[i] = values[channel * stride];
    }
    return row;
}

void ChannelList::gather(const float* values, float* row) const
{
    if (m_list.empty()) {
        transformMasked(
            values, row, m_mask.data(), m_dModel, [](Lanes v, std::size_t) { return v; });
        return;
    }
    const int* list = m_list.data();
    along(
        m_list.size(),
        [&](std::size_t i) { store(row + i, loadGathered(values, list + i)); },
        [&](std::size_t i, std::size_t n) {
            storeSome(row + i, loadSomeGathered(values, list + i, n), n);
        });
}

void ChannelList::spread(const float* row, float* values, std::size_t stride) const
{
    if (m_list.empty()) {
        for (std::size_t i = 0; i < m_dModel; ++i) {
            values[i * stride] = m_mask[i] != 0 ? row[i] : 0.0F;
        }
        return;
    }
    for (std::size_t i = 0; i < m_dModel; ++i) {
        values[i * stride] = 0.0F;
    }
    for (std::size_t i = 0; i < m_list.size(); ++i) {
        values[static_cast<std::size_t>(m_list[i]) * stride] = row[i];
    }
}

// From the last register to the first, so that nothing is overwritten before it is read.
void ChannelList::spreadInPlace(float* row) const
{
    const float* from = row + m_list.size();
    const auto valuesAt = [&](std::size_t i) {
        const LaneBits listed = m_listed[i / kLanes];
        from -= std::popcount(listed);
        return loadUnpacked(from, listed);
    };
    std::size_t i = m_dModel / kLanes * kLanes;
    if (i < m_dModel) {
        storeSome(row + i, valuesAt(i), m_dModel - i);
    }
    while (i > 0) {
        i -= kLanes;
        store(row + i, valuesAt(i));
    }
}

} // namespace flopsmith::cpu
