// SPDX-License-Identifier: MIT
#include "core/present/time/part_time.h"

#include "core/model/operation.h"

namespace flopsmith {

std::string PartsMeasured::text() const
{
    return std::to_string(timed) + " of " + std::to_string(all) + " parts";
}

PartsMeasured partsMeasured(std::span<const MeasuredPart> parts, std::span<const PartTime> times)
{
    PartsMeasured measured;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].addsToTotal()) {
            const PartTime time = i < times.size() ? times[i] : PartTime{};
            ++measured.all;
            measured.timed += time.hasTime() ? 1 : 0;
            measured.failed += time.state == PartState::failed ? 1 : 0;
        }
    }
    return measured;
}

} // namespace flopsmith
