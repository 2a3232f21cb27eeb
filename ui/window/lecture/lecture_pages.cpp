// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture_pages.h"

#include "core/base/check.h"
#include "ui/canvas/stack_view.h"
#include "ui/formulas/derivation_view.h"
#include "ui/formulas/folklore_page.h"
#include "ui/formulas/formula_page.h"
#include "ui/tables/cost_page.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/theme/utf8.h"
#include "ui/window/stack/stack_pages.h"

#include <QApplication>
#include <QTimer>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

struct LecturePage
{
    std::string_view id;
    std::optional<ChartId> chart{};
};

constexpr std::array<LecturePage, 16> kLecturePages{{{"share", ChartId::share},
                                                     {"scaling", ChartId::scaling},
                                                     {"memory", ChartId::memory},
                                                     {"roofline", ChartId::roofline},
                                                     {"run_time", ChartId::runtime},
                                                     {"mislead", ChartId::mislead},
                                                     {"waterfall", ChartId::waterfall},
                                                     {"compare", ChartId::compare},
                                                     {"design_space", ChartId::heat},
                                                     {"pareto", ChartId::pareto},
                                                     {"claims", ChartId::claims},
                                                     {"stack"},
                                                     {"inside"},
                                                     {"formulas"},
                                                     {"tables"},
                                                     {"folklore"}}};

} // namespace

LecturePages::LecturePages(Document& document, QWidget* parent)
    : QStackedWidget(parent)
    , m_document(document)
    , m_designs(document)
    , m_feed(new ChartFeed(document, this))
    , m_pages(kLecturePages.size(), nullptr)
{
    setObjectName(QStringLiteral("lecture.pages"));
    setAccessibleName(tr("What is shown"));
    m_feed->showBeside(m_designs);
    connect(&document, &Document::scenarioChanged, this, &LecturePages::showTimes);
    showPage(QStringLiteral("share"));
}

QStringList LecturePages::ids()
{
    QStringList all;
    for (const LecturePage& page : kLecturePages) {
        all << fromUtf8(page.id);
    }
    return all;
}

QString LecturePages::id() const
{
    return fromUtf8(kLecturePages.at(m_current).id);
}

QString LecturePages::titleOf(const QString& id)
{
    const auto index = ids().indexOf(id);
    const LecturePage& page =
        kLecturePages.at(static_cast<std::size_t>(std::max<qsizetype>(0, index)));
    if (page.chart) {
        return Charts::tr(chartKind(*page.chart).title);
    }
    return page.id == "stack"   ? tr("Stack")
        : page.id == "inside"   ? tr("Inside of a block")
        : page.id == "formulas" ? tr("Formulas")
        : page.id == "tables"   ? tr("Table")
                                : tr("Folklore");
}

std::string_view LecturePages::idOf(ChartId chart)
{
    const auto* const page =
        std::find_if(kLecturePages.begin(), kLecturePages.end(), [chart](const LecturePage& each) {
            return each.chart == chart;
        });
    FLOPSMITH_CHECK(page != kLecturePages.end());
    return page->id;
}

bool LecturePages::showPage(const QString& id)
{
    const auto index = ids().indexOf(id);
    if (index < 0) {
        return false;
    }
    m_current = static_cast<std::size_t>(index);
    setCurrentWidget(made(m_current));
    if (id == QLatin1String("inside")) {
        static_cast<StackPages*>(currentWidget())->openInside();
    }
    Q_EMIT pageChanged();
    return true;
}

void LecturePages::move(int by)
{
    const int last = static_cast<int>(kLecturePages.size()) - 1;
    showPage(ids().at(std::clamp(static_cast<int>(m_current) + by, 0, last)));
}

QWidget* LecturePages::made(std::size_t page)
{
    if (m_pages[page] != nullptr) {
        return m_pages[page];
    }
    const LecturePage& wanted = kLecturePages.at(page);
    m_pages[page] = wanted.chart ? madeChart(*wanted.chart) : madeOther(fromUtf8(wanted.id));
    addWidget(m_pages[page]);
    setTypeBelow(*m_pages[page], uiFont(m_scale.points));
    return m_pages[page];
}

QWidget* LecturePages::madeOther(const QString& id)
{
    if (id == QLatin1String("stack") || id == QLatin1String("inside")) {
        auto* stack = new StackPages(m_document, this);
        stack->setObjectName(QStringLiteral("lecture.") + id);
        stack->stack().setCostsShown(m_showsCosts);
        return stack;
    }
    if (id == QLatin1String("formulas")) {
        m_formulas = new FormulaPage(m_document, this);
        m_formulas->setMovable(m_movable);
        return m_formulas;
    }
    if (id == QLatin1String("tables")) {
        return new CostPage(m_document, this);
    }
    return new FolklorePage(m_document, this);
}

FigureView* LecturePages::madeChart(ChartId chart)
{
    auto* view = new FigureView(Charts::tr(chartKind(chart).title), this);
    view->setTheme(m_scale.threeDigits ? lectureTheme() : systemTheme());
    view->setScale(m_scale);
    m_feed->show(chart, *view);
    m_feed->flush();
    m_charts.push_back(view);
    return view;
}

// Null while another page is shown.
StackPages* LecturePages::stackShown() const
{
    return id() == QLatin1String("stack") ? qobject_cast<StackPages*>(currentWidget()) : nullptr;
}

void LecturePages::setZoom(const std::string& zoom)
{
    m_zoom.set(zoom);
    QTimer::singleShot(0, this, [this] { // when a page that is new has its size
        if (StackPages* stack = stackShown()) {
            m_zoom.apply(*stack);
        }
    });
}

void LecturePages::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] {
        if (StackPages* stack = stackShown()) {
            m_zoom.keep(*stack);
        }
    });
}

void LecturePages::setCostsShown(bool shown)
{
    m_showsCosts = shown;
    for (QWidget* page : m_pages) {
        if (auto* stack = qobject_cast<StackPages*>(page)) {
            stack->stack().setCostsShown(shown);
        }
    }
}

void LecturePages::setScale(const DisplayScale& scale)
{
    m_scale = scale;
    for (FigureView* view : m_charts) {
        view->setTheme(scale.threeDigits ? lectureTheme() : systemTheme());
        view->setScale(scale);
    }
    for (QWidget* page : m_pages) {
        if (page != nullptr) {
            setTypeBelow(*page, uiFont(scale.points));
        }
    }
    m_feed->makeAnew(); // texts are parts of the figures
}

void LecturePages::setMovable(const std::optional<QStringList>& keys)
{
    m_movable = keys;
    if (m_formulas != nullptr) {
        m_formulas->setMovable(keys);
    }
}

FormulaPage* LecturePages::shownFormulas() const
{
    return m_formulas != nullptr && currentWidget() == m_formulas ? m_formulas : nullptr;
}

bool LecturePages::advanceDerivation(int by)
{
    FormulaPage* shown = shownFormulas();
    return shown != nullptr && shown->isDeriving() && shown->derivation().advance(by);
}

bool LecturePages::toggleDerivation()
{
    FormulaPage* shown = shownFormulas();
    if (shown != nullptr) {
        shown->showDerivation(!shown->isDeriving());
    }
    return shown != nullptr;
}

void LecturePages::setRunTimes(const RunTimes& times)
{
    m_times = times;
    m_timed = m_document.scenario();
    showTimes();
}

void LecturePages::compareTimesOn(const Device& device, const std::filesystem::path& store)
{
    m_feed->compareTimesOn(device, store);
}

// Times of another scenario would be wrong, the device and its peaks are the same.
void LecturePages::showTimes()
{
    RunTimes shown = m_times;
    if (m_timed != m_document.scenario()) {
        shown.parts.clear();
        shown.times.clear();
        shown.compared.clear();
    }
    m_feed->setRunTimes(std::move(shown));
}

void LecturePages::freeze()
{
    m_designs.clear();
    m_designs.freezeLive();
}

void LecturePages::showFrozen(const std::vector<Scenario>& frozen)
{
    m_designs.clear();
    const Scenario live = m_document.scenario();
    for (const Scenario& scenario : frozen) {
        if (!m_designs.isFull()) {
            m_document.start(scenario);
            m_designs.freezeLive();
        }
    }
    if (!frozen.empty()) {
        m_document.start(live);
    }
}

} // namespace flopsmith::ui

#include "moc_lecture_pages.cpp"
