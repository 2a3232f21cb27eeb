// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_choices.h"

#include "core/parameter/parameter_lookup.h"
#include "core/present/study/scaling.h"
#include "core/present/study/study_axis.h"
#include "ui/document/document.h"
#include "ui/theme/utf8.h"

namespace flopsmith::ui {

ChartChoices::ChartChoices(const Document& document)
    : m_document(document)
{}

void ChartChoices::setAxis(const QString& key)
{
    m_axis = key;
    Q_EMIT changed();
}

void ChartChoices::setMetric(MetricId metric)
{
    m_metric = metric;
    Q_EMIT changed();
}

QString ChartChoices::axisInUse() const
{
    const Scenario& scenario = m_document.scenario();
    const bool exists = firstParameter(scenario, m_axis.toStdString()).has_value();
    return exists ? m_axis : fromUtf8(lengthKey(scenario));
}

void ChartChoices::setStudy(const Study& study)
{
    m_study = study;
    Q_EMIT changed();
}

std::array<QString, 2> ChartChoices::studyAxesInUse() const
{
    const Scenario& scenario = m_document.scenario();
    const auto usual = usualStudyKeys(scenario);
    std::array<QString, 2> keys = m_study.axes;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!firstParameter(scenario, keys[i].toStdString())) {
            keys[i] = fromUtf8(usual[i]);
        }
    }
    return keys;
}

void ChartChoices::setHardware(const QString& id)
{
    m_hardware = id;
    Q_EMIT changed();
}

void ChartChoices::setScope(const PartScope& scope)
{
    if (scope != m_scope) {
        m_scope = scope;
        Q_EMIT changed();
    }
}

bool ChartChoices::isOfPart(ChartId chart) const
{
    return chartKind(chart).hasScope && !m_scope.isModel();
}

void ChartChoices::setWaterfall(LensId from, LensId to)
{
    m_from = from;
    m_to = to;
    Q_EMIT changed();
}

} // namespace flopsmith::ui

#include "moc_chart_choices.cpp"
