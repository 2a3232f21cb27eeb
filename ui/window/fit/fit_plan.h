// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_rules.h"
#include "core/study/search/search.h"

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

// What "Fit to budget" asks and answers, without widgets.

/// The names of the parameters that can be varied: numbers that no tie or lock decides.
QStringList variableNames(const Scenario& scenario, const ParameterRules& rules);

/// "d_ff = 4·d_model, heads = d_model/64": what is varied together with a parameter, as rules. Empty
/// text has none.
Result<std::vector<Tie>> typedTies(const QString& text);

/// What the rules make of their parameters at each tried value: "d_ff 3072, heads 12".
QStringList followersTexts(const SearchPlan& plan,
                           const std::vector<Tie>& ties,
                           const std::vector<SearchedPoint>& points);

/// "124.4 M", "497.8 MB", as the metric is shown.
QString figureText(MetricId id, const MetricValue& value);

/// "d_model 756 is the largest legal value: parameters 121.3 M. At 768, params 124.4 M is above …"
QString winnerText(const SearchPlan& plan, const SearchResult& result);

/// The scenario with a value of the searched parameter and what is tied to it.
Scenario scenarioAt(const SearchPlan& plan, const FieldValue& value);

} // namespace flopsmith::ui
