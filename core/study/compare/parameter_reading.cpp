// SPDX-License-Identifier: MIT
#include "core/study/compare/parameter_reading.h"

#include "core/parameter/correction.h"

namespace flopsmith {

ParameterReading readingOf(const Scenario& scenario, const Parameter& parameter)
{
    ParameterReading reading{.value = parameter.value(scenario)};
    reading.text = valueText(reading.value);
    if (reading.value == FieldValue(std::int64_t{0})) {
        const std::string meaning = zeroText(scenario, parameter);
        reading.text = meaning.empty() ? reading.text : meaning;
    }
    return reading;
}

} // namespace flopsmith
