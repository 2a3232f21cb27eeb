// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fit/fit_plan.h"

#include "core/base/text.h"
#include "core/parameter/parameter_lookup.h"
#include "ui/theme/utf8.h"

#include <QObject>

#include <utility>

namespace flopsmith::ui {

QStringList variableNames(const Scenario& scenario, const ParameterRules& rules)
{
    QStringList names;
    QStringList ruled;
    for (const ParameterList& part : parameterTable(scenario)) {
        for (const Parameter& parameter : *part) {
            const FieldValue value = parameter.value(scenario);
            const bool number = std::holds_alternative<std::int64_t>(value)
                || std::holds_alternative<double>(value);
            const QString name = fromUtf8(parameter.text.key);
            const ParameterPlace place = placeOf(scenario, parameter);
            if (rules.tieOf(place) != nullptr || rules.lockOf(place) != nullptr) {
                ruled << name;
            } else if (number && parameter.applies(scenario) && !names.contains(name)) {
                names << name;
            }
        }
    }
    for (const QString& name : ruled) {
        names.removeAll(name); // of another block: all of one name are varied together
    }
    return names;
}

Result<std::vector<Tie>> typedTies(const QString& text)
{
    std::vector<Tie> ties;
    for (const QString& rule : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (rule.trimmed().isEmpty()) {
            continue;
        }
        FLOPSMITH_TRY(const Tie tie, parsedTie(rule.trimmed().toStdString()));
        ties.push_back(tie);
    }
    return ties;
}

QStringList followersTexts(const SearchPlan& plan,
                           const std::vector<Tie>& ties,
                           const std::vector<SearchedPoint>& points)
{
    const Variation variation = Variation::create(plan.base, {plan.key}, plan.ties).value();
    std::vector<std::pair<std::string, Parameter>> followers;
    for (const Tie& tie : ties) {
        if (const auto parameter = firstParameter(plan.base, tie.key)) {
            followers.emplace_back(tie.key, *parameter);
        }
    }
    QStringList texts;
    for (const SearchedPoint& point : points) {
        const Scenario scenario = variation.at({point.value});
        QStringList values;
        for (const auto& [key, parameter] : followers) {
            values << QString::fromStdString(key + " " + valueText(parameter.value(scenario)));
        }
        texts << values.join(QStringLiteral(", "));
    }
    return texts;
}

QString figureText(MetricId id, const MetricValue& value)
{
    const double number = toDouble(value);
    return QString::fromStdString(metric(id).unit == "B" ? bytesText(number) : siText(number));
}

QString winnerText(const SearchPlan& plan, const SearchResult& result)
{
    const bool largest = plan.goal == SearchPlan::Goal::largest;
    QString text = (largest ? QObject::tr("%1 %2 is the largest legal value that fits")
                            : QObject::tr("%1 %2 is the smallest legal value that fits"))
                       .arg(QString::fromStdString(plan.key),
                            QString::fromStdString(valueText(result.found.value)));
    for (std::size_t i = 0; i < result.metrics.size(); ++i) {
        if (result.metrics[i] == plan.metric) {
            text +=
                QStringLiteral(": %1 %2").arg(fromUtf8(metric(plan.metric).title),
                                              figureText(plan.metric, result.found.metrics.at(i)));
        }
    }
    if (result.next) {
        text += QObject::tr("; at %1, %2")
                    .arg(QString::fromStdString(valueText(result.next->value)),
                         QString::fromStdString(result.next->problem));
    }
    return text + QLatin1Char('.')
        + (result.tieNote.empty()
               ? QString()
               : QLatin1Char(' ') + QString::fromStdString(result.tieNote) + QLatin1Char('.'));
}

Scenario scenarioAt(const SearchPlan& plan, const FieldValue& value)
{
    return Variation::create(plan.base, {plan.key}, plan.ties).value().at({value});
}

} // namespace flopsmith::ui
