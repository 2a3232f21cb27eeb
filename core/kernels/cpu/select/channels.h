// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/select/selection.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace flopsmith::cpu {

/// `count` rounded up to whole registers: how long an array must be to be read in registers.
inline std::size_t padded(std::size_t count)
{
    return (count + kLanes - 1) / kLanes * kLanes;
}

/// y[i] = f(x[i], i) where the mask is set, 0 elsewhere.
template <class F>
inline void transformMasked(const float* x,
                            float* y,
                            const std::int32_t* mask,
                            std::size_t count,
                            const F& f)
{
    transform(x, y, count, [&](Lanes v, std::size_t i) {
        return fromBits(bitsOf(f(v, i)) & loadBits(mask + i));
    });
}

/// −1 in the chosen lanes and 0 in the others, for the bits of a register of values, whose signs
/// are ignored; the first value has index i.
inline IntLanes maskOf(const Largest& chosen, IntLanes bits, std::size_t i)
{
    const IntLanes magnitude = bits & 0x7FFFFFFF;
    const IntLanes above = magnitude >= chosen.minBits;
    const auto first = static_cast<std::int32_t>(i);
    if (chosen.tiesEnd <= first) {
        return above;
    }
    return above | ((magnitude == chosen.minBits - 1) & (laneNumbers() < chosen.tiesEnd - first));
}

/// y[i] = f(x[i], i) where x[i] is among the chosen, 0 elsewhere.
template <class F>
inline void transformLargest(const float* x,
                             float* y,
                             const Largest& chosen,
                             std::size_t count,
                             const F& f)
{
    transform(x, y, count, [&, chosen](Lanes v, std::size_t i) {
        return fromBits(bitsOf(f(v, i)) & maskOf(chosen, bitsOf(v), i));
    });
}

/// The indices of the chosen among `count` values, ascending; returns how many. `list` is a
/// register longer than that.
inline std::size_t listLargest(const float* values,
                               const Largest& chosen,
                               std::size_t count,
                               std::int32_t* list)
{
    std::size_t found = 0;
    const auto indices = [](std::size_t i) { return laneNumbers() + static_cast<std::int32_t>(i); };
    along(
        count,
        [&](std::size_t i) {
            const IntLanes mask = maskOf(chosen, bitsOf(load(values + i)), i);
            found += storePacked(list + found, indices(i), mask);
        },
        [&](std::size_t i, std::size_t n) {
            const IntLanes mask = maskOf(chosen, bitsOf(loadSome(values + i, n)), i);
            const IntLanes inside = laneNumbers() < static_cast<std::int32_t>(n);
            found += storePacked(list + found, indices(i), mask & inside);
        });
    return found;
}

/// y[i] = f(x[i] where the mask is set and 0 elsewhere, i); f(0) is 0.
template <class F>
inline void transformChosen(const float* x,
                            float* y,
                            const std::int32_t* mask,
                            std::size_t count,
                            const F& f)
{
    transform(x, y, count, [&](Lanes v, std::size_t i) {
        return f(fromBits(bitsOf(v) & loadBits(mask + i)), i);
    });
}

/// The kind of computation for a channel.
enum class ChannelWork {
    light, ///< a few operations, cheaper than gathering channels
    heavy, ///< a tanh
};

/// A fixed list of channels, ascending. A long list is computed in place and masked; the channels
/// of a short one are gathered, computed at the beginning of y, and scattered over it.
class ChannelList
{
public:
    ChannelList(std::span<const int> channels, int dModel, ChannelWork work);

    /// All channels.
    explicit ChannelList(int dModel);

    /// How many positions map() numbers: the channels of the list, or all d where it masks.
    std::size_t positions() const { return m_list.empty() ? m_dModel : m_list.size(); }

    /// values[channel·stride] in the order of map()'s positions, padded and a register longer, so
    /// that a register may be loaded from any position.
    LedgerVector<float> arranged(const float* values, std::size_t stride = 1) const;

    /// The same without an allocation: row[position] = values[channel], 0 where it is masked.
    void gather(const float* values, float* row) const;

    /// The inverse of arranged(): values[channel·stride] = row[its position], 0 outside the list.
    void spread(const float* row, float* values, std::size_t stride = 1) const;

    /// y[j] = f(x[j], position of j in arranged()) on the list, 0 elsewhere; one token, y not x.
    template <class F>
    void map(const float* x, float* y, const F& f) const
    {
        if (m_list.empty()) {
            transformMasked(x, y, m_mask.data(), m_dModel, f);
        } else {
            mapList(x, y, f);
        }
    }

    /// The same for an f with f(0) = 0, which sees zeros in place of channels outside the list and
    /// may therefore accumulate its arguments.
    template <class F>
    void mapChosen(const float* x, float* y, const F& f) const
    {
        if (m_list.empty()) {
            transformChosen(x, y, m_mask.data(), m_dModel, f);
        } else {
            mapList(x, y, f);
        }
    }

private:
    template <class F>
    void mapList(const float* x, float* y, const F& f) const
    {
        const int* list = m_list.data();
        along(
            m_list.size(),
            [&](std::size_t i) { store(y + i, f(loadGathered(x, list + i), i)); },
            [&](std::size_t i, std::size_t n) {
                storeSome(y + i, f(loadSomeGathered(x, list + i, n), i), n);
            });
        spreadInPlace(y);
    }

    /// Scatters the beginning of the row [d] to the channels, zeros between them.
    void spreadInPlace(float* row) const;

    std::size_t m_dModel;
    LedgerVector<int> m_list; ///< empty: the mask is used
    LedgerVector<LaneBits> m_listed; ///< of each register of channels
    LedgerVector<std::int32_t> m_mask;
};

} // namespace flopsmith::cpu
