// SPDX-License-Identifier: MIT
#include "core/present/study/study_axis.h"

#include "core/parameter/parameter_lookup.h"
#include "core/present/study/scaling.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr int kDoublingsAside = 3;
constexpr int kFewStops = 9;

FieldValue numberAs(const FieldValue& like, double wanted)
{
    return std::holds_alternative<double>(like)
        ? FieldValue(wanted)
        : FieldValue(static_cast<std::int64_t>(std::llround(wanted)));
}

// 96, 192, 384, 768, 1536 …
std::vector<FieldValue> doublingsOf(const FieldValue& value,
                                    double present,
                                    const LegalValues& legal)
{
    std::vector<FieldValue> values;
    for (int i = -kDoublingsAside; i <= kDoublingsAside; ++i) {
        values.push_back(legal.nearest(numberAs(value, std::ldexp(present, i))));
    }
    return values;
}

} // namespace

Result<Axis> studyAxis(const Scenario& scenario, std::string_view key)
{
    Result<Axis> axis = axisOfStops(scenario, key, kFewStops);
    const std::optional<Parameter> parameter = firstParameter(scenario, key);
    if (!axis || !parameter) {
        return axis;
    }
    const FieldValue value = parameter->value(scenario);
    const std::optional<double> present = numberOf(value);
    if (!present) {
        return axis;
    }
    const LegalValues legal = parameter->legal(scenario);
    std::vector<FieldValue>& values = axis->values;
    if (legal.scale() == Scale::log2 && *present > 0.0) {
        values = doublingsOf(value, *present, legal);
    }
    values.push_back(value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return axis;
}

std::array<std::string_view, 2> usualStudyKeys(const Scenario& scenario)
{
    const bool isStack = firstParameter(scenario, "layers").has_value();
    return {"d_model", isStack ? "layers" : lengthKey(scenario)};
}

} // namespace flopsmith
