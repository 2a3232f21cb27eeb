// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/movable_symbols.h"

#include "core/formula/symbol_parameters.h"
#include "core/parameter/parameter_place.h"

#include <algorithm>
#include <string>

namespace flopsmith::ui {
namespace {

// The full keys that match the given ones.
std::vector<std::string> allowedKeys(const Scenario& scenario, const QStringList& keys)
{
    std::vector<std::string> allowed;
    for (const QString& key : keys) {
        for (const Parameter& parameter : matchingParameters(scenario, key.toStdString())) {
            allowed.push_back(parameter.key);
        }
    }
    return allowed;
}

std::vector<int> runsOf(const Scenario& scenario, const std::vector<Parameter>& parameters)
{
    std::vector<int> runs;
    if (parameters.size() > 1) {
        for (const Parameter& parameter : parameters) {
            runs.push_back(placeOf(scenario, parameter).run);
        }
    }
    return runs;
}

} // namespace

std::vector<MovableSymbol> movableSymbols(const Scenario& scenario,
                                          const std::vector<FormulaSymbol>& letters,
                                          std::string_view part,
                                          const std::optional<QStringList>& keys)
{
    const std::vector<std::string> allowed =
        keys ? allowedKeys(scenario, *keys) : std::vector<std::string>();
    std::vector<MovableSymbol> symbols;
    for (const FormulaSymbol& letter : letters) {
        const std::vector<Parameter> parameters = parametersOf(scenario, letter, part);
        const bool isAllowed = !keys
            || std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
                   return std::find(allowed.begin(), allowed.end(), parameter.key) != allowed.end();
               });
        if (!parameters.empty() && isAllowed) {
            symbols.push_back({.name = QString::fromStdString(letter.name),
                               .parameter = parameters.front(),
                               .runs = runsOf(scenario, parameters)});
        }
    }
    return symbols;
}

QStringList namesOf(const std::vector<MovableSymbol>& symbols)
{
    QStringList names;
    for (const MovableSymbol& symbol : symbols) {
        names << symbol.name;
    }
    return names;
}

} // namespace flopsmith::ui
