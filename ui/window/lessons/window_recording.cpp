// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lessons/window_recording.h"

#include "core/share/shared_page.h"
#include "core/teach/format/lesson.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/theme/utf8.h"
#include "ui/window/main_window.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/stack/stack_pages.h"

#include <QApplication>
#include <QScopedValueRollback>
#include <QTabBar>

#include <array>
#include <utility>

namespace flopsmith::ui {
namespace {

// The page of a lesson for each panel of charts, in the order of these.
constexpr std::array<const char*, 10> kPagesOfPanels{"share",
                                                     "scaling",
                                                     "run_time",
                                                     "memory",
                                                     "roofline",
                                                     "mislead",
                                                     "waterfall",
                                                     "design_space",
                                                     "design_space",
                                                     "compare"};

} // namespace

WindowRecording::WindowRecording(MainWindow& window)
    : RecordingStage(&window)
    , m_window(window)
    , m_changed([this] { report(); })
{
    connectWindow();
}

WindowRecording::~WindowRecording() = default;

void WindowRecording::connectWindow()
{
    const Document& document = m_window.document();
    connect(&document, &Document::scenarioChanged, this, &WindowRecording::touched);
    connect(&document, &Document::operationChanged, this, &WindowRecording::touched);
    connect(&document, &Document::lensChanged, this, &WindowRecording::touched);
    connect(&m_window.designs(), &Designs::changed, this, &WindowRecording::touched);
    connect(&m_window.panels().charts().tabs(),
            &QTabBar::currentChanged,
            this,
            &WindowRecording::takePageOfTab);
    connect(&m_window.panels().stackPages(), &QStackedWidget::currentChanged, this, [this] {
        setPage(m_window.panels().stackPages().isInside() ? "inside" : "stack");
    });
    connect(
        &m_window.panels().stackPages(), &StackPages::noteChanged, this, &WindowRecording::touched);
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
        m_stackZoom = m_window.panels().stack().zoom().factor();
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
    setPage(std::string(viewOfPage(m_window.panels().charts().currentName().toStdString())));
}

// A chart that is clicked or reached by keys is the one that is meant.
void WindowRecording::takePageOfFocus(const QWidget* focus)
{
    const auto& panels = m_window.panels().charts().panels();
    for (std::size_t i = 0; focus != nullptr && i < panels.size(); ++i) {
        if (i < kPagesOfPanels.size() && panels[i]->isAncestorOf(focus)) {
            setPage(kPagesOfPanels.at(i));
        }
    }
}

std::string WindowRecording::zoom() const
{
    if (m_window.panels().stackPages().isInside()) {
        return "inside";
    }
    const double zoom = m_window.panels().stack().zoom().factor();
    if (zoom == m_stackZoom && m_reported.zoom != "inside") {
        return m_reported.zoom;
    }
    return zoom > 1.0 ? "selection" : "model";
}

LessonView WindowRecording::view() const
{
    const Document& document = m_window.document();
    LessonView view{.context = {.scenario = document.scenario(), .lens = document.lens()},
                    .page = m_page,
                    .select = document.operation(),
                    .zoom = zoom(),
                    .frozen = m_older};
    for (const FrozenDesign& design : m_window.designs().all()) {
        view.frozen.push_back(design.scenario);
    }
    return view;
}

void WindowRecording::begin()
{
    if (isOn()) {
        return;
    }
    Document& document = m_window.document();
    document.history().endGesture();
    m_own = Own{.state = document.state(),
                .lens = document.lens(),
                .page = m_window.panels().charts().currentName(),
                .zoom = m_window.panels().stack().zoom().factor(),
                .inside = m_window.panels().stackPages().isInside(),
                .designs = m_window.designs().all(),
                .steps = document.undoStack().index()};
}

void WindowRecording::end()
{
    if (!isOn()) {
        return;
    }
    const Own own = *std::exchange(m_own, std::nullopt);
    bringBackDesign(own);
    m_window.document().setLens(own.lens);
    m_window.designs().replaceAll(own.designs);
    m_window.panels().charts().setCurrentName(own.page);
    m_window.panels().stack().zoom().set(own.zoom);
    if (own.inside) {
        m_window.panels().stackPages().openInside();
    } else if (m_window.panels().stackPages().isInside()) {
        m_window.panels().stackPages().closeInside();
    }
    m_older.clear();
}

// By undoing what came since, so that a design that was saved counts as saved.
void WindowRecording::bringBackDesign(const Own& own)
{
    Document& document = m_window.document();
    if (document.undoStack().count() >= own.steps) {
        document.undoStack().setIndex(own.steps);
    }
    if (document.scenario() != own.state.scenario || document.rules() != own.state.rules
        || document.notes() != own.state.notes) {
        document.replaceDesign(
            tr("Back to your design"), [&own](DocumentState& state) { state = own.state; }, {});
    }
    document.select(own.state.selection);
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
    m_window.document().setLens(view.context.lens);
    m_window.document().selectOperation(view.select);
    showPage(view);
}

void WindowRecording::showDesign(const LessonView& view)
{
    m_window.document().replaceDesign(
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
    m_window.designs().replaceAll(shown);
}

void WindowRecording::showPage(const LessonView& view)
{
    if (const std::string_view page = pageOfView(view.page); !page.empty()) {
        m_window.panels().charts().setCurrentName(fromUtf8(page));
    }
    const bool inside = view.zoom == "inside" || view.page == "inside";
    if (inside) {
        m_window.panels().stackPages().openInside();
    } else if (m_window.panels().stackPages().isInside()) {
        m_window.panels().stackPages().closeInside();
    }
    if (view.zoom == "selection") {
        m_window.panels().stack().zoom().toSelection();
    } else if (!inside) {
        m_window.panels().stack().zoom().set(1.0);
    }
    m_page = view.page;
    m_reported = view;
    m_stackZoom = m_window.panels().stack().zoom().factor();
    m_reported = this->view();
}

} // namespace flopsmith::ui

#include "moc_window_recording.cpp"
