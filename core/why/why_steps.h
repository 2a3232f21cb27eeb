// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/budget/hardware.h"
#include "core/count/component.h"
#include "core/formula/formula.h"
#include "core/present/headline/headline.h"
#include "core/present/time/run_time.h"
#include "core/why/why.h"

#include <functional>
#include <string>
#include <vector>

// What the cards of the headline and those of parts have in common.
namespace flopsmith {

inline constexpr const char* kTimes = " \xC3\x97 ";
inline constexpr const char* kDividedBy = " / ";
inline constexpr const char* kLeastTimeSentence =
    "An operation takes at least its FLOPs at the peak of the device and its bytes at the "
    "bandwidth of "
    "its memory, whichever is longer; operations run one after the other.";
inline constexpr const char* kMeasuredSentence = "Each part is run until its median settles; the "
                                                 "pass is the sum of median \xC3\x97 uses over all "
                                                 "parts.";

/// "16 bit"
std::string bitText(int bits);

/// "73 728 bytes = 73.7 kB"
std::string bytesResult(const Count& bytes);

/// Makes the formula, or says why there is none: also where making it takes longer than a person waits.
void addFormula(Why& why,
                const Scenario& scenario,
                const std::function<Result<Formula>()>& makeFormula);

/// The roofs of the source's device in the scenario's precision.
Result<HardwarePeak> roofsOf(const HeadlineSource& source);

/// The operations of a part: of all uses of its nodes in the whole model, and of one component unless that
/// is null.
struct PartOfTree
{
    std::vector<int> nodes{0};
    const Component* component = nullptr;
};

/// What the operations of a part are bound by, the sum of their least times, and what that rests on.
void addLeastTime(Why& why,
                  const HeadlineSource& source,
                  const HardwarePeak& on,
                  const PartOfTree& part = {});

/// "On this CPU, 2026-11-21, in fp32."
std::string measuredBasis(const RunTimeTable& table, const std::string& device);

} // namespace flopsmith
