// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/design_pickers.h"

#include "core/parameter/parameter_table.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/menu_heading.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QHBoxLayout>
#include <QMenu>

namespace flopsmith::ui {
namespace {

constexpr int kMetricCharacters = 24; // "operations per token"

} // namespace

DesignPickers::DesignPickers(Document& document, ChartFeed& feed, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_feed(feed)
    , m_axes(new QWidget)
    , m_metric(new ChoiceChip(QStringLiteral("heat"), QString(), tr("What the colours show")))
{
    m_parameters = {new ChoiceChip(QStringLiteral("designX"), tr("over"), tr("Parameter along x")),
                    new ChoiceChip(QStringLiteral("designY"), tr("and"), tr("Parameter along y"))};
    m_goals = {new ChoiceChip(QStringLiteral("goalX"), QString(), tr("Metric along x")),
               new ChoiceChip(QStringLiteral("goalY"), tr("and"), tr("Metric along y"))};
    m_axes->setObjectName(QStringLiteral("designAxes"));
    m_axes->setAccessibleName(tr("Parameters of the designs"));
    auto* row = new QHBoxLayout(m_axes);
    row->setContentsMargins(0, 0, 0, 0);
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        m_parameters[i]->setCharacters(7, 12);
        row->addWidget(m_parameters[i]);
        connect(
            &m_parameters[i]->choices(), &QMenu::aboutToShow, this, [this, i] { fillAxisMenu(i); });
        m_goals[i]->setCharacters(7, kMetricCharacters);
        connect(&m_goals[i]->choices(), &QMenu::aboutToShow, this, [this, i] {
            fillMetricMenu(*m_goals[i], [this, i](MetricId id) { setGoal(i, id); });
        });
    }
    m_metric->setCharacters(9, kMetricCharacters);
    connect(&m_metric->choices(), &QMenu::aboutToShow, this, [this] {
        fillMetricMenu(*m_metric, [this](MetricId id) {
            ChartChoices::Study study = m_feed.choices().study();
            study.metric = id;
            m_feed.choices().setStudy(study);
        });
    });
    connect(&m_feed.choices(), &ChartChoices::changed, this, &DesignPickers::showChoices);
    connect(&m_feed, &ChartFeed::updated, this, &DesignPickers::showChoices);
    showChoices();
}

void DesignPickers::addTo(ChartPanel& heat, ChartPanel& pareto)
{
    heat.addPicker(m_metric);
    for (ChoiceChip* goal : m_goals) {
        pareto.addPicker(goal);
    }
}

void DesignPickers::showChoices()
{
    const ChartChoices::Study& study = m_feed.choices().study();
    const std::array<QString, 2> axes = m_feed.choices().studyAxesInUse();
    m_metric->setValue(fromUtf8(flopsmith::metric(study.metric).title));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        m_parameters[i]->setValue(axes[i]);
        m_goals[i]->setValue(fromUtf8(flopsmith::metric(study.goals[i].metric).title));
    }
}

// Swaps the axes if the other one has this parameter.
void DesignPickers::setAxis(std::size_t which, const QString& key)
{
    ChartChoices::Study study = m_feed.choices().study();
    study.axes = m_feed.choices().studyAxesInUse();
    if (study.axes[1 - which] == key) {
        study.axes[1 - which] = study.axes[which];
    }
    study.axes[which] = key;
    m_feed.choices().setStudy(study);
}

void DesignPickers::setGoal(std::size_t which, MetricId metric)
{
    ChartChoices::Study study = m_feed.choices().study();
    if (study.goals[1 - which].metric == metric) {
        study.goals[1 - which] = study.goals[which];
    }
    study.goals[which] = usualGoal(metric);
    m_feed.choices().setStudy(study);
}

// Every parameter of the table that is a number, once, by its short key.
void DesignPickers::fillAxisMenu(std::size_t which)
{
    const Scenario& scenario = m_document.scenario();
    QMenu& menu = m_parameters[which]->choices();
    clearMenu(menu);
    QStringList seen;
    for (const Parameter& parameter : allParameters(scenario)) {
        const QString key = fromUtf8(parameter.text.key);
        const bool isNumber = editorKind(parameter.value(scenario)) == EditorKind::slider;
        if (!isNumber || seen.contains(key) || !parameter.applies(scenario)) {
            continue;
        }
        seen << key;
        QMenu& group = submenuOf(menu, QString::fromStdString(parameter.group));
        QAction* action = group.addAction(
            fromUtf8(parameter.text.label), this, [this, which, key] { setAxis(which, key); });
        action->setToolTip(fromUtf8(parameter.text.help));
    }
    menu.setToolTipsVisible(true);
}

// The counted metrics, and those for which the device of memory and roofline has figures.
void DesignPickers::fillMetricMenu(ChoiceChip& chip, const std::function<void(MetricId)>& choose)
{
    QMenu& menu = chip.choices();
    clearMenu(menu);
    const MetricBasis basis = m_feed.metricBasis();
    for (const MetricNeeds needs : {MetricNeeds::nothing, MetricNeeds::hardware}) {
        for (const Metric& each : metrics(needs)) {
            QAction* action =
                submenuOf(menu, fromUtf8(metricGroup(each)))
                    .addAction(fromUtf8(each.title), this, [choose, id = each.id] { choose(id); });
            const Status has = computable(each.id, basis);
            action->setEnabled(has.ok());
            action->setToolTip(has.ok() ? fromUtf8(each.help)
                                        : QString::fromStdString(has.error().message));
        }
    }
    menu.setToolTipsVisible(true);
}

} // namespace flopsmith::ui

#include "moc_design_pickers.cpp"
