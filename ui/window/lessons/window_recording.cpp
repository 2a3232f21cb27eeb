// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lessons/window_recording.h"

#include "core/share/shared_page.h"
#include "core/teach/format/lesson.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/theme/utf8.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/stack/stack_pages.h"

#include <QApplication>
#include <QScopedValueRollback>
#include <QTabBar>

#include <utility>

namespace flopsmith::ui {
namespace {

// The page of a lesson with this chart. Design spaces are one page, on which the heat map stands.
std::string_view lessonPageOf(ChartId chart)
{
    return LecturePages::idOf(chart == ChartId::pareto ? ChartId::heat : chart);
}

} // namespace

WindowRecording::WindowRecording(Document& document,
                                 Designs& designs,
                                 StackPages& stack,
                                 ChartPages& charts,
                                 QObject* parent)
    : RecordingStage(parent)
    , m_document(document)
    , m_designs(designs)
    , m_stack(stack)
    , m_charts(charts)
    , m_changed([this] { report(); })
{
    connectWindow();
}

WindowRecording::~WindowRecording() = default;

void WindowRecording::connectWindow()
{
    connect(&m_document, &Document::scenarioChanged, this, &WindowRecording::touched);
    connect(&m_document, &Document::operationChanged, this, &WindowRecording::touched);
    connect(&m_document, &Document::lensChanged, this, &WindowRecording::touched);
    connect(&m_designs, &Designs::changed, this, &WindowRecording::touched);
    connect(&m_charts.tabs(), &QTabBar::currentChanged, this, &WindowRecording::takePageOfTab);
    connect(&m_stack, &QStackedWidget::currentChanged, this, [this] {
        setPage(m_stack.isInside() ? "inside" : "stack");
    });
    connect(&m_stack, &StackPages::noteChanged, this, &WindowRecording::touched);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        takePageOfFocus(now);
    });
}

void WindowRecording::touched()
{
    if (isOn() && !m_showing) {
        m_changed.request();
    }
}

void WindowRecording::report()
{
    if (!isOn()) {
        return;
    }
    LessonView now = view();
    if (now != m_reported) {
        m_reported = std::move(now);
        m_stackZoom = m_stack.stack().zoom().factor();
        Q_EMIT viewChanged();
    }
}

void WindowRecording::setPage(const std::string& page)
{
    if (isOn() && !m_showing && isLessonPage(page) && page != m_page) {
        m_page = page;
        touched();
    }
}

void WindowRecording::takePageOfTab()
{
    setPage(std::string(viewOfPage(m_charts.currentName().toStdString())));
}

// A chart that is clicked or reached by keys is the one that is meant.
void WindowRecording::takePageOfFocus(const QWidget* focus)
{
    for (const ChartPanel* panel : m_charts.panels()) {
        if (focus != nullptr && panel->chart() && panel->isAncestorOf(focus)) {
            setPage(std::string(lessonPageOf(*panel->chart())));
        }
    }
}

std::string WindowRecording::zoom() const
{
    if (m_stack.isInside()) {
        return "inside";
    }
    const double zoom = m_stack.stack().zoom().factor();
    if (zoom == m_stackZoom && m_reported.zoom != "inside") {
        return m_reported.zoom;
    }
    return zoom > 1.0 ? "selection" : "model";
}

LessonView WindowRecording::view() const
{
    LessonView view{.context = {.scenario = m_document.scenario(), .lens = m_document.lens()},
                    .page = m_page,
                    .select = m_document.operation(),
                    .zoom = zoom(),
                    .frozen = m_older};
    for (const FrozenDesign& design : m_designs.all()) {
        view.frozen.push_back(design.scenario);
    }
    return view;
}

void WindowRecording::begin()
{
    if (isOn()) {
        return;
    }
    m_document.history().endGesture();
    m_own = Own{.state = m_document.state(),
                .lens = m_document.lens(),
                .page = m_charts.currentName(),
                .zoom = m_stack.stack().zoom().factor(),
                .inside = m_stack.isInside(),
                .designs = m_designs.all(),
                .steps = m_document.undoStack().index()};
}

void WindowRecording::end()
{
    if (!isOn()) {
        return;
    }
    const Own own = *std::exchange(m_own, std::nullopt);
    bringBackDesign(own);
    m_document.setLens(own.lens);
    m_designs.replaceAll(own.designs);
    m_charts.setCurrentName(own.page);
    m_stack.stack().zoom().set(own.zoom);
    if (own.inside) {
        m_stack.openInside();
    } else if (m_stack.isInside()) {
        m_stack.closeInside();
    }
    m_older.clear();
}

// By undoing what came since, so that a design that was saved counts as saved.
void WindowRecording::bringBackDesign(const Own& own)
{
    if (m_document.undoStack().count() >= own.steps) {
        m_document.undoStack().setIndex(own.steps);
    }
    if (m_document.scenario() != own.state.scenario || m_document.rules() != own.state.rules
        || m_document.notes() != own.state.notes) {
        m_document.replaceDesign(
            tr("Back to your design"), [&own](DocumentState& state) { state = own.state; }, {});
    }
    m_document.select(own.state.selection);
}

void WindowRecording::giveBack()
{
    if (isOn()) {
        end();
        Q_EMIT ended();
    }
}

void WindowRecording::show(const LessonView& view)
{
    if (!isOn()) {
        return;
    }
    const QScopedValueRollback<bool> showing(m_showing, true);
    showDesign(view);
    m_document.setLens(view.context.lens);
    m_document.selectOperation(view.select);
    showPage(view);
}

void WindowRecording::showDesign(const LessonView& view)
{
    m_document.replaceDesign(
        tr("Show a lesson's step"),
        [&view](DocumentState& state) {
            const auto runs = static_cast<int>(view.context.scenario.model.runs.size());
            state = {.scenario = view.context.scenario, .selection = Selection::ofRun(runs - 1)};
        },
        {});
    const std::size_t places = Designs::kMaxFrozen;
    const std::size_t older = view.frozen.size() > places ? view.frozen.size() - places : 0;
    m_older.assign(view.frozen.begin(), view.frozen.begin() + static_cast<std::ptrdiff_t>(older));
    std::vector<FrozenDesign> shown;
    for (std::size_t i = older; i < view.frozen.size(); ++i) {
        const auto letter = static_cast<char>('A' + static_cast<int>(i - older));
        shown.push_back({.letter = letter, .scenario = view.frozen[i]});
    }
    m_designs.replaceAll(shown);
}

void WindowRecording::showPage(const LessonView& view)
{
    if (const std::string_view page = pageOfView(view.page); !page.empty()) {
        m_charts.setCurrentName(fromUtf8(page));
    }
    const bool inside = view.zoom == "inside" || view.page == "inside";
    if (inside) {
        m_stack.openInside();
    } else if (m_stack.isInside()) {
        m_stack.closeInside();
    }
    if (view.zoom == "selection") {
        m_stack.stack().zoom().toSelection();
    } else if (!inside) {
        m_stack.stack().zoom().set(1.0);
    }
    m_page = view.page;
    m_reported = view;
    m_stackZoom = m_stack.stack().zoom().factor();
    m_reported = this->view();
}

} // namespace flopsmith::ui

#include "moc_window_recording.cpp"
