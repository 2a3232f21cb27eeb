// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>

namespace flopsmith {

/// A number that is known, and what this program makes of it.
struct LabCheck
{
    std::string name; ///< "gradient of spectral"
    double expected = 0.0;
    double measured = 0.0;
    double tolerance = 0.0; ///< 0: equal
    bool holds = false;
};

/// Checks on this machine what results of a lab rest on, in seconds: moments of activations, gradients
/// of every named arm through a whole model against differences, and steps executed against their
/// count, class by class. Passes each check to `take` when it is done; stops when the token requests it.
Status runLabChecks(const std::function<void(const LabCheck&)>& take, const std::stop_token& stop);

} // namespace flopsmith
