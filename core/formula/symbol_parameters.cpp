// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/symbol_parameters.h"

#include "core/parameter/parameter_lookup.h"
#include "core/parameter/parameter_place.h"

#include <charconv>

namespace flopsmith {
namespace {

// The run of the block that the path names, or -1: "blocks[3]/ffn", "forward/blocks[3]".
int runOfPart(const Model& model, std::string_view part)
{
    const std::size_t at = part.find(kBlockKey);
    if (at == std::string_view::npos) {
        return -1;
    }
    int block = 0;
    const char* digits = part.data() + at + kBlockKey.size();
    const bool read = std::from_chars(digits, part.data() + part.size(), block).ec == std::errc();
    return read ? model.runOf(block) : -1;
}

bool isLetter(const Parameter& parameter, const FormulaSymbol& symbol, const Scenario& scenario)
{
    return parameter.text.symbol == symbol.base && parameter.applies(scenario)
        && parameter.value(scenario) == FieldValue(static_cast<std::int64_t>(symbol.value));
}

} // namespace

std::vector<Parameter> parametersOf(const Scenario& scenario,
                                    const FormulaSymbol& symbol,
                                    std::string_view part)
{
    std::vector<Parameter> found;
    if (symbol.base.empty() || !symbol.values.empty()) {
        return found;
    }
    const int run = runOfPart(scenario.model, part);
    std::string key;
    for (const ParameterList& list : parameterTable(scenario)) {
        for (const Parameter& parameter : *list) {
            if (!isLetter(parameter, symbol, scenario)) {
                continue;
            }
            const ParameterPlace place = placeOf(scenario, parameter);
            const bool elsewhere = run >= 0 && place.run >= 0 && place.run != run;
            key = key.empty() && !elsewhere ? place.key : key;
            if (!elsewhere && place.key == key) {
                found.push_back(parameter);
            }
        }
    }
    return found;
}

} // namespace flopsmith
