// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels/design_panels.h"

#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/large_chart.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/formulas/folklore_page.h"
#include "ui/formulas/formula_page.h"
#include "ui/inspector/inspector.h"
#include "ui/tables/cost_page.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/panel_splitter.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/history/history_panel.h"
#include "ui/window/panels/known_ffns.h"
#include "ui/window/panels/palette_rail.h"
#include "ui/window/panels/panel_area.h"
#include "ui/window/settings/window_settings.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kMinCharts = 264; ///< half of the free height on a projector of 720 lines

} // namespace

DesignPanels::DesignPanels(Document& document,
                           Designs& designs,
                           MessageBar& messages,
                           QWidget* parent)
    : QScrollArea(parent)
    , m_document(document)
{
    QSplitter* rows = panelSplitter(QStringLiteral("rows"), Qt::Vertical, this);
    QSplitter* upper = panelSplitter(QStringLiteral("upper"), Qt::Horizontal, rows);
    addUpperPanels(*upper);
    m_charts = new ChartPages(document, messages, rows);
    m_charts->addPage(tr("Formulas"), new FormulaPage(document));
    m_costs = new CostPage(document);
    m_costs->compareWith(designs);
    m_charts->addPage(tr("Table"), m_costs);
    m_charts->addPage(tr("Folklore"), new FolklorePage(document));
    m_charts->addCompare(document, designs);
    m_charts->setMinimumHeight(kMinCharts);
    rows->setSizes({550, 450});
    rows->setStretchFactor(0, 55);
    rows->setStretchFactor(1, 45);
    auto* all = new QWidget(this);
    all->setObjectName(QStringLiteral("panels.all"));
    all->setAccessibleName(tr("Panels"));
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(rows);
    showInArea(*this, QStringLiteral("panels"), *all);
    m_palettePanel->setParent(all);
    m_paletteRail = new PaletteRail(*m_palettePanel, *m_palette, *m_palettePlace, *all);
    new KnownFfns(document, m_charts->feed(), *m_inspector); // which owns it
    connect(&m_charts->largeChart(), &LargeChart::windowNeeded, this, [this, upper](bool needed) {
        upper->setHidden(needed);
        m_palettePanel->setHidden(needed);
    });
}

void DesignPanels::addUpperPanels(QSplitter& row)
{
    m_palettePlace = new QWidget(&row);
    m_palettePlace->setObjectName(QStringLiteral("palette.place"));
    m_palettePlace->setAccessibleName(tr("Place of the palette"));
    m_palettePanel = new ui::Panel(QStringLiteral("palette"), tr("Palette"), this);
    m_palette = new Palette(m_document, m_palettePanel);
    m_palettePanel->setBody(m_palette);
    m_stackPanel = new ui::Panel(QStringLiteral("stack"), tr("Stack"), &row);
    m_stackPages = new StackPages(m_document, m_stackPanel);
    m_stackPanel->setBody(m_stackPages);
    m_stackPanel->setNote(QString::fromStdString(stack().picture().note));
    connect(m_stackPages, &StackPages::noteChanged, m_stackPanel, &ui::Panel::setNote);
    addStackHead();
    m_inspectorPanel = new ui::Panel(QStringLiteral("inspector"), tr("Parameters"), &row);
    m_inspector = new Inspector(m_document, m_inspectorPanel);
    m_inspectorPanel->setBody(m_inspector);
    m_inspectorPanel->setTitle(m_inspector->title());
    m_inspectorPanel->addToHead(&m_inspector->scopeButton());
    connect(m_inspector, &Inspector::titleChanged, m_inspectorPanel, &ui::Panel::setTitle);
    m_history = new HistoryPanel(m_document, &row);
    m_history->setVisible(storedHistoryOpen());
    m_exercise = new ExercisePanel(m_document, &row);
    m_exercise->hide(); // until there is an exercise
    row.setSizes({202, 528, 494, 210, 280});
    row.setStretchFactor(0, 0);
    row.setStretchFactor(1, 5);
    row.setStretchFactor(2, 5);
}

// A click leaves the focus to the stack, to which the list returns it.
void DesignPanels::addStackHead()
{
    auto* add = new QPushButton(tr("+ Add"), m_stackPanel);
    add->setObjectName(QStringLiteral("stack.add"));
    add->setAccessibleName(tr("Add blocks"));
    add->setToolTip(tr("Insert a block behind the selected ones (A)"));
    add->setProperty("narrow", true);
    add->setFocusPolicy(Qt::TabFocus);
    m_stackPanel->addBesideTitle(add);
    connect(add, &QPushButton::clicked, this, [this] {
        if (m_stackPages->isInside()) {
            m_stackPages->closeInside();
        }
        stack().addBlocks();
    });
}

void DesignPanels::tellDrags(StatusLine& status)
{
    connect(&stack(), &StackView::dropRefused, &status, &StatusLine::say);
    connect(&stack(), &StackView::dragHintChanged, &status, &StatusLine::hint);
    connect(m_palette, &Palette::refused, &status, &StatusLine::say);
}

StackView& DesignPanels::stack()
{
    return m_stackPages->stack();
}

QList<QWidget*> DesignPanels::parts() const
{
    return {m_palettePanel, m_stackPanel, m_inspectorPanel, m_history, m_exercise, m_charts};
}

void DesignPanels::openHistory(bool open)
{
    auto& row = *qobject_cast<QSplitter*>(m_history->parentWidget());
    const int history = row.indexOf(m_history);
    QList<int> sizes = row.sizes();
    const int width = open ? m_history->minimumWidth() : sizes[history];
    sizes[history] = open ? width : 0;
    sizes[row.indexOf(m_stackPanel)] += (open ? -1 : 1) * (width + row.handleWidth());
    m_history->setVisible(open);
    row.setSizes(sizes);
    if (open) {
        m_history->setFocus(Qt::ShortcutFocusReason);
    }
}

void DesignPanels::restore()
{
    m_charts->setCurrentName(storedPage());
    m_paletteRail->setPinned(storedPalettePinned());
    m_inspector->setShowsAll(storedAllParameters());
    stack().zoom().set(storedStackZoom());
    stack().zoom().actions().minimap().setChecked(storedMinimap());
    stack().zoom().actions().notes().setChecked(storedNotes());
}

void DesignPanels::store()
{
    storePage(m_charts->currentName());
    storePalettePinned(m_paletteRail->isPinned());
    storeAllParameters(m_inspector->showsAll());
    storeStackZoom(stack().zoom().factor());
    storeMinimap(stack().zoom().actions().minimap().isChecked());
    storeNotes(stack().zoom().actions().notes().isChecked());
}

} // namespace flopsmith::ui

#include "moc_design_panels.cpp"
