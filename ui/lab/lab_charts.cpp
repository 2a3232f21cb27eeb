// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_charts.h"

#include "ui/chart_pages/chart_export_actions.h"
#include "ui/charts/lab/lab_figure.h"
#include "ui/lab/lab_session.h"
#include "ui/widgets/chip.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <memory>

namespace flopsmith::ui {
namespace {

struct KindText
{
    LabChartKind kind;
    const char* id;
    const char* shown;
    const char* text;
};

constexpr std::array<KindText, 4> kKinds{
    {{LabChartKind::training,
      "training",
      QT_TRANSLATE_NOOP("LabCharts", "runs"),
      QT_TRANSLATE_NOOP("LabCharts", "Chart of the lab: &runs, step by step")},
     {LabChartKind::curves,
      "curves",
      QT_TRANSLATE_NOOP("LabCharts", "curves"),
      QT_TRANSLATE_NOOP("LabCharts", "Chart of the lab: learning &curves of all seeds")},
     {LabChartKind::norms,
      "norms",
      QT_TRANSLATE_NOOP("LabCharts", "gradients"),
      QT_TRANSLATE_NOOP("LabCharts", "Chart of the lab: norms of &gradients")},
     {LabChartKind::rates,
      "rates",
      QT_TRANSLATE_NOOP("LabCharts", "rates"),
      QT_TRANSLATE_NOOP("LabCharts", "Chart of the lab: learning r&ates")}}};

struct ViewText
{
    LabView view;
    const char* text;
};

constexpr std::array<ViewText, 3> kViews{
    {{LabView::steps, QT_TRANSLATE_NOOP("LabCharts", "View of the lab: equal &steps")},
     {LabView::flops, QT_TRANSLATE_NOOP("LabCharts", "View of the lab: equal &FLOPs")},
     {LabView::seconds, QT_TRANSLATE_NOOP("LabCharts", "View of the lab: equal s&econds")}}};

} // namespace

LabCharts::LabCharts(LabSession& session, MessageBar& messages, QWidget* parent)
    : QObject(parent)
    , m_session(session)
    , m_curves(new ChartPanel(QStringLiteral("lab.curves"), tr("Learning"), parent))
    , m_bars(new ChartPanel(QStringLiteral("lab.bars"), tr("Reached"), parent))
    , m_kinds(
          new ChoiceChip(QStringLiteral("lab.kinds"), {}, tr("What is drawn of the lab"), parent))
    , m_views(new ChoiceChip(QStringLiteral("lab.views"),
                             {},
                             tr("What is equal where arms are compared"),
                             parent))
{
    createKinds();
    createViews();
    for (ChartPanel* panel : {m_curves, m_bars}) {
        auto* exports = new ChartExportActions(*panel, messages);
        exports->fill(panel->menu(), panel->objectName() + QStringLiteral(".own."));
    }
    connect(&session, &LabSession::planChanged, this, &LabCharts::planChanged);
    planChanged();
    updateIcons();
}

void LabCharts::createKinds()
{
    m_kinds->setCharacters(10, 10); // never shortened
    for (const KindText& each : kKinds) {
        QAction* action = m_kinds->choices().addAction(tr(each.text));
        action->setObjectName(QStringLiteral("lab.chart.") + QLatin1String(each.id));
        connect(action, &QAction::triggered, this, [this, kind = each.kind] { setKind(kind); });
    }
    m_curves->addPicker(m_kinds);
}

void LabCharts::createViews()
{
    m_views->setCharacters(8, 8);
    for (const ViewText& each : kViews) {
        QAction* action = m_views->choices().addAction(tr(each.text));
        action->setObjectName(QStringLiteral("lab.view.") + toQt(enumName(each.view)));
        connect(action, &QAction::triggered, this, [this, view = each.view] { setView(view); });
    }
    m_bars->addPicker(m_views);
}

// In which all runs end.
void LabCharts::planChanged()
{
    m_isChosen = false;
    const bool bySteps = m_session.plan().budget.kind == BudgetKind::steps;
    setView(bySteps ? LabView::steps : LabView::flops);
}

void LabCharts::setView(LabView view)
{
    m_view = view;
    m_views->setValue(toQt(viewName(view)));
    showLog();
    Q_EMIT viewChanged();
}

void LabCharts::setKind(LabChartKind kind)
{
    m_kind = kind;
    m_isChosen = true;
    showLog();
}

void LabCharts::showLog()
{
    if (!m_isChosen) {
        m_kind = m_session.hasResult() ? LabChartKind::curves : LabChartKind::training;
    }
    const auto* shown = std::ranges::find(kKinds, m_kind, &KindText::kind);
    m_kinds->setValue(tr(shown->shown));
    draw(*m_curves, m_kind);
    draw(*m_bars, LabChartKind::bars);
}

// The chart is made when it is painted: not while the page is hidden.
void LabCharts::draw(ChartPanel& panel, LabChartKind kind)
{
    panel.view().setSource([this, kind]() -> std::unique_ptr<Figure> {
        return std::make_unique<LabFigure>(
            labChart(m_session.log(), kind, m_view, m_session.references()));
    });
    panel.contentChanged();
}

void LabCharts::setScale(const DisplayScale& scale)
{
    m_curves->view().setScale(scale);
    m_bars->view().setScale(scale);
}

void LabCharts::updateIcons()
{
    m_curves->updateIcons();
    m_bars->updateIcons();
}

} // namespace flopsmith::ui

#include "moc_lab_charts.cpp"
