// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "core/parameter/parameter_table.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

namespace flopsmith::ui {

/// A letter of a formula whose parameter can be set.
struct MovableSymbol
{
    QString name; ///< of the letter: "f_2"
    Parameter parameter; ///< of the first run that has it
    std::vector<int> runs{}; ///< several that have it; empty: the parameter's own run, or none
};

/// The letters that are parameters, in the formula of `part`, or of the whole model for "". `keys`
/// limits them to these parameters ("d_ff" of all blocks); nullopt: all.
std::vector<MovableSymbol> movableSymbols(const Scenario& scenario,
                                          const std::vector<FormulaSymbol>& letters,
                                          std::string_view part,
                                          const std::optional<QStringList>& keys = {});

/// Their names, for formulaHtml().
QStringList namesOf(const std::vector<MovableSymbol>& symbols);

} // namespace flopsmith::ui
