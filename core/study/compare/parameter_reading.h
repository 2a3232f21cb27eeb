// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <string>

namespace flopsmith {

/// The value of a parameter in one scenario, as it is stored and as it is shown.
struct ParameterReading
{
    FieldValue value{};
    std::string text{}; ///< "auto (64)" where a 0 means something else

    bool operator==(const ParameterReading&) const = default;
};

ParameterReading readingOf(const Scenario& scenario, const Parameter& parameter);

} // namespace flopsmith
