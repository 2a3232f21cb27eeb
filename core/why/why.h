// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "core/present/headline/headline.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// One step towards a figure, or a part of it.
struct WhyStep
{
    std::string title{}; ///< "bytes"
    std::string arithmetic{}; ///< "18 432 × 32 bit / 8"; empty for a part of a sum
    std::string result{}; ///< "73 728 bytes"
};

/// How a figure comes about.
struct Why
{
    std::string title{}; ///< "Cache per token"
    std::string sentence{}; ///< what it is
    std::optional<Formula> formula{};
    std::string unit{}; ///< of the formula's value: "elements"
    std::string noFormula{}; ///< why there is none; empty where none is meant to be
    std::vector<WhyStep> steps{};
    std::vector<std::string> basis{}; ///< lens, precision, device and date, a sentence each
    std::string view{}; ///< of the page that has more, as in sharedPages(); "formulas"
};

/// Of a headline figure. `source` is what the headline was made of; `device` names the device that
/// measured. Call it on the formulas' thread.
Why whyOf(HeadlineKind kind, const HeadlineSource& source, const std::string& device = {});

/// The whole as plain text, to be copied.
std::string whyText(const Why& why);

} // namespace flopsmith
