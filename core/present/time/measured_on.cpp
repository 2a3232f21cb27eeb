// SPDX-License-Identifier: MIT
#include "core/present/time/measured_on.h"

#include "core/base/text.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::size_t kDayLength = 10; // "2026-11-21"

std::string nameOf(const std::string& device, const std::string& processor)
{
    if (processor.empty() || processor == device) {
        return device;
    }
    const bool isHere = device.rfind("this ", 0) == 0;
    return isHere ? processor : device + " (" + processor + ")";
}

} // namespace

std::string measuredOn(const std::string& device,
                       const std::string& processor,
                       std::span<const PartTime> times,
                       std::int64_t now)
{
    std::int64_t newest = 0;
    for (const PartTime& time : times) {
        if (time.hasTime()) {
            newest = std::max(newest, time.storedAt.value_or(now));
        }
    }
    const std::string name = nameOf(device, processor);
    return newest > 0 ? name + ", " + dateText(newest).substr(0, kDayLength) : name;
}

} // namespace flopsmith
