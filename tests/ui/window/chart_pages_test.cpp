// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_pages.h"

#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/study/variation/metric.h"
#include "tests/ui/menu_entries.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/memory/memory_figure.h"
#include "ui/charts/mislead/mislead_figure.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/charts/waterfall/waterfall_figure.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/values/value_text.h"

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>
#include <stdexcept>

namespace flopsmith::ui {
namespace {

class ChartPagesTest : public test::WindowTest
{
protected:
    ChartPanel& panel(const char* name) { return child<ChartPanel>(name); }

    template <class Content>
    const Content& shown(const char* name)
    {
        return dynamic_cast<const Content&>(*panel(name).view().figure());
    }
};

TEST_F(ChartPagesTest, StartsWithTheOverview)
{
    EXPECT_EQ(window->pages().current(), 0);
    for (const char* name : {"panel.share", "panel.scaling", "panel.runTime"}) {
        EXPECT_TRUE(panel(name).isVisible()) << name;
    }
    for (const char* name : {"panel.memory",
                             "panel.roofline",
                             "panel.mislead",
                             "panel.waterfall",
                             "panel.heat",
                             "panel.pareto"}) {
        EXPECT_FALSE(panel(name).isVisible()) << name;
    }
    EXPECT_FALSE(child<ChoiceChip>("bar.hardware").isVisible());
}

TEST_F(ChartPagesTest, APanelAndItsViewHaveTheTitleOfTheirChart)
{
    const std::vector<std::pair<const char*, ChartId>> panels{{"share", ChartId::share},
                                                              {"scaling", ChartId::scaling},
                                                              {"runTime", ChartId::runtime},
                                                              {"memory", ChartId::memory},
                                                              {"roofline", ChartId::roofline},
                                                              {"mislead", ChartId::mislead},
                                                              {"waterfall", ChartId::waterfall},
                                                              {"heat", ChartId::heat},
                                                              {"pareto", ChartId::pareto},
                                                              {"compare", ChartId::compare}};
    ASSERT_EQ(window->chartPanels().size(), panels.size());
    for (std::size_t i = 0; i < panels.size(); ++i) {
        ChartPanel& panel = *window->chartPanels()[i];
        const QString title = QLatin1String(chartKind(panels[i].second).title);
        EXPECT_EQ(panel.objectName(), QStringLiteral("panel.") + panels[i].first);
        EXPECT_EQ(panel.accessibleName(), title);
        EXPECT_EQ(panel.view().objectName(), panels[i].first + QStringLiteral("View"));
        EXPECT_EQ(panel.view().accessibleName(), title);
    }
}

TEST_F(ChartPagesTest, ThePageIsRememberedFromOneStartToTheNext)
{
    window->pages().setCurrent(3);
    window->close();

    open();

    EXPECT_EQ(window->pages().current(), 3);
    EXPECT_TRUE(window->pages().page(3).isVisible());
}

TEST_F(ChartPagesTest, APageThatIsNoMoreLeavesTheOverview)
{
    storePage(QStringLiteral("a page of another version"));

    open();

    EXPECT_EQ(window->pages().current(), 0);
}

TEST_F(ChartPagesTest, TheKeyboardReachesEveryPage)
{
    for (int page = window->pages().count() - 1; page >= 0; --page) {
        QTest::keyClick(window.get(), static_cast<Qt::Key>(Qt::Key_1 + page), Qt::ControlModifier);
        EXPECT_EQ(window->pages().current(), page);
        EXPECT_TRUE(window->pages().page(page).isVisible());
        EXPECT_TRUE(window->pages().tabs().hasFocus());
    }
    QTest::keyClick(&window->pages().tabs(), Qt::Key_Right);
    EXPECT_EQ(window->pages().current(), 1);
}

TEST_F(ChartPagesTest, TheViewMenuNamesThePagesAndMarksTheOneThatIsSeen)
{
    QStringList names;
    QStringList marked;
    window->pages().setCurrent(2);
    for (const QAction* action : child<QMenu>("view.pages.menu").actions()) {
        names << action->text();
        if (action->isChecked()) {
            marked << action->text();
        }
    }
    for (int page = 0; page < window->pages().count(); ++page) {
        EXPECT_TRUE(names.contains(window->pages().tabs().tabText(page)));
    }
    EXPECT_TRUE(marked.removeOne(QStringLiteral("Waterfall")));
    for (int page = 0; page < window->pages().count(); ++page) {
        EXPECT_FALSE(marked.contains(window->pages().tabs().tabText(page))) << page;
    }
}

// A figure is made when its view is painted, or when somebody asks for it.
class CountingView : public FigureView
{
public:
    explicit CountingView(QWidget* parent = nullptr)
        : FigureView(QStringLiteral("Counting"), parent)
    {}

    void change()
    {
        setSource([this]() -> std::unique_ptr<Figure> {
            ++made;
            return std::make_unique<ShareFigure>(Donuts{});
        });
    }

    int made = 0;
};

TEST_F(ChartPagesTest, AHiddenPageCostsNothingUntilItIsShown)
{
    auto* view = new CountingView;
    const int number = window->pages().addPage(QStringLiteral("Further"), view);
    for (int i = 0; i < 5; ++i) {
        view->change();
        QCoreApplication::processEvents();
    }
    EXPECT_EQ(view->made, 0);

    window->pages().setCurrent(number);
    ASSERT_SOON(view->made == 1);
}

TEST_F(ChartPagesTest, APageShowsTheModelOfNowWhenItAppears)
{
    window->pages().setCurrent(2);
    window->settle();
    window->pages().setCurrent(0);
    replaceModel(window->document(), *presetNamed("llama-3-8b"));
    window->settle();

    window->pages().setCurrent(1);
    QCoreApplication::processEvents();

    EXPECT_NE(shown<MemoryFigure>("panel.memory").content().title.find("Llama"), std::string::npos);
    EXPECT_TRUE(shown<WaterfallFigure>("panel.waterfall").title().contains(QLatin1String("Llama")));
}

TEST_F(ChartPagesTest, TheTableOfAHiddenPageFollowsWhenItAppears)
{
    ChartPanel& memory = panel("panel.memory");
    window->pages().setCurrent(1);
    memory.tabs().setCurrentIndex(1);
    ASSERT_SOON(memory.table().rowCount() > 3);
    window->pages().setCurrent(0);
    const auto before = memory.table().table().rows;
    replaceModel(window->document(), *presetNamed("llama-3-8b"));
    window->settle();
    QTest::qWait(150); // longer than the table's own pause
    EXPECT_EQ(memory.table().table().rows, before);

    window->pages().setCurrent(1);

    ASSERT_SOON(memory.table().table().rows != before);
    EXPECT_EQ(memory.table().table().rows, memory.view().figure()->shownTable().table.rows);
}

TEST_F(ChartPagesTest, TheHardwareChipChangesLimitAndRoofs)
{
    window->pages().setCurrent(1);
    ChoiceChip& chip = child<ChoiceChip>("bar.hardware");
    EXPECT_TRUE(chip.isVisible());
    Q_EMIT chip.choices().aboutToShow();
    EXPECT_EQ(test::entriesOf(chip.choices()).size(),
              static_cast<qsizetype>(hardwareTable().size()) + 1); // and the measuring one
    for (QAction* action : test::entriesOf(chip.choices())) {
        if (action->text() == QLatin1String("NVIDIA L4")) {
            action->trigger();
        }
    }
    window->settle();

    EXPECT_EQ(chip.value(), QStringLiteral("NVIDIA L4"));
    EXPECT_NE(shown<MemoryFigure>("panel.memory").content().limit->text.find("L4"),
              std::string::npos);
    EXPECT_NE(shown<RooflineFigure>("panel.roofline").content().title.find("L4"),
              std::string::npos);
}

TEST_F(ChartPagesTest, TheScalingCurvesShowWhatFollowsFromTheFiguresOfADevice)
{
    ChoiceChip& metric = child<ChoiceChip>("bar.metric");
    const auto action = [&metric](const QString& text) -> QAction& {
        for (QAction* each : test::entriesOf(metric.choices())) {
            if (each->text() == text) {
                return *each;
            }
        }
        throw std::runtime_error(text.toStdString());
    };
    for (const Metric& each : metrics(MetricNeeds::hardware)) {
        EXPECT_TRUE(action(fromUtf8(each.title)).isEnabled()) << each.name;
    }

    window->charts().choices().setHardware(QStringLiteral("a100-sxm-80gb"));
    action(fromUtf8(flopsmith::metric(MetricId::lowerBoundSeconds).title)).trigger();
    window->settle();

    const auto chart = [this]() -> const ScalingChart& {
        return shown<ScalingFigure>("panel.scaling").chart();
    };
    const auto seconds = [&chart] { return chart().curves.front().points.front().y; };
    const double before = seconds();
    EXPECT_GT(before, 0.0);
    EXPECT_NE(chart().yTitle.find("A100"), std::string::npos) << chart().yTitle;
    EXPECT_TRUE(metric.choices().actions().contains(
        child<ChoiceChip>("bar.hardware").choices().menuAction()));
    window->charts().choices().setHardware(QStringLiteral("l4"));
    window->settle();
    EXPECT_GT(seconds(), before) << "a slower device takes longer";

    window->charts().choices().setHardware(ChartChoices::kMeasuredDevice);
    window->settle();
    EXPECT_FALSE(
        action(fromUtf8(flopsmith::metric(MetricId::lowerBoundSeconds).title)).isEnabled());
    EXPECT_TRUE(panel("panel.scaling")
                    .view()
                    .figure()
                    ->emptyText()
                    .contains(QLatin1String("Not measured yet")));
}

TEST_F(ChartPagesTest, AWarningOfTheDeviceIsLegibleHoweverLong)
{
    const QString warning =
        QStringLiteral("A library computes with narrow registers. ").repeated(9);
    auto& button = child<QToolButton>("panel.runTime.warning");
    EXPECT_FALSE(button.isVisible());

    window->pages().setRunTimeWarning(warning);
    window->grab();

    EXPECT_TRUE(button.isVisible());
    EXPECT_FALSE(button.icon().isNull());
    EXPECT_GE(button.width(), button.sizeHint().width()) << "at 1280 pixels";
    EXPECT_EQ(button.toolTip(), warning);
    EXPECT_EQ(button.accessibleDescription(), warning);
    button.click();
    EXPECT_EQ(window->messages().sentence(), warning);
    window->pages().setRunTimeWarning({});
    EXPECT_FALSE(button.isVisible());
}

TEST_F(ChartPagesTest, MeasuredPointsLieOnlyBelowTheRoofsOfTheirDevice)
{
    const auto measuredPoints = [this] {
        window->settle();
        const auto& points = shown<RooflineFigure>("panel.roofline").content().points;
        return std::count_if(points.begin(), points.end(), [](const RooflinePoint& point) {
            return point.origin == Origin::measured;
        });
    };
    window->charts().choices().setHardware(ChartChoices::kMeasuredDevice);
    window->settle();
    EXPECT_TRUE(panel("panel.roofline")
                    .view()
                    .figure()
                    ->emptyText()
                    .contains(QLatin1String("Press Measure")));

    RunTimes times{.parts = measuredParts(window->document().scenario()),
                   .peaks = Peaks{.flopsPerSecond = 1e11, .bytesPerSecond = 1e10},
                   .device = QStringLiteral("test")};
    times.times.assign(times.parts.size(), {.state = PartState::settled, .medianSeconds = 1e-3});
    window->charts().setRunTimes(times);
    EXPECT_GT(measuredPoints(), 3);

    window->charts().choices().setHardware(QStringLiteral("h100-sxm"));
    EXPECT_EQ(measuredPoints(), 0);

    // Beside the roofs of the machine that measured they have their place again.
    MachineRoofs roofs{.device = "test"};
    roofs.products = {{NumberFormat::fp32, 1e11, ""}};
    roofs.levels = {{"L2", 2e6, 2e11, 1, true}, {"memory", 1e9, 1e10, 1, false}};
    times.roofs = roofs;
    window->charts().setRunTimes(times);
    EXPECT_GT(measuredPoints(), 3);
    EXPECT_EQ(shown<RooflineFigure>("panel.roofline").content().ceilings.size(), 3U);
}

TEST_F(ChartPagesTest, WhereFlopsMisleadStandsBesideTheRoofline)
{
    window->settle();
    EXPECT_FALSE(panel("panel.mislead").view().figure()->emptyText().isEmpty());
    RunTimes times{.parts = measuredParts(window->document().scenario()),
                   .device = QStringLiteral("test")};
    times.times.assign(times.parts.size(), {.state = PartState::settled, .medianSeconds = 1e-3});
    MachineRoofs roofs{.device = "test"};
    roofs.products = {{NumberFormat::fp32, 1e11, ""}};
    roofs.levels = {{"memory", 1e9, 1e10, 1, false}};
    times.roofs = roofs;
    window->charts().setRunTimes(times);
    window->settle();

    const MisleadTable& table = shown<MisleadFigure>("panel.mislead").content();
    const auto whole = std::count_if(times.parts.begin(), times.parts.end(), [](const auto& part) {
        return part.addsToTotal();
    });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(table.rows.size()), whole);
}

TEST_F(ChartPagesTest, TheWaterfallGoesFromOneChosenLensToAnother)
{
    window->pages().setCurrent(2);
    for (QAction* action : test::entriesOf(child<QMenu>("bar.from.menu"))) {
        if (action->text() == QString::fromUtf8(lens(LensId::mac).title.data())) {
            action->trigger();
        }
    }
    window->settle();

    const WaterfallChart& chart = shown<WaterfallFigure>("panel.waterfall").content();
    EXPECT_NE(chart.title.find("from mac"), std::string::npos) << chart.title;
    EXPECT_EQ(child<ChoiceChip>("bar.to").value(),
              QString::fromUtf8(lens(LensId::exact).title.data()));
}

TEST_F(ChartPagesTest, TheExportMenuHoldsEveryChart)
{
    QStringList titles;
    for (const QAction* action : child<QMenu>("file.export.charts").actions()) {
        titles << action->text();
    }
    for (const ChartPanel* each : window->chartPanels()) {
        EXPECT_TRUE(titles.contains(each->accessibleName())) << qPrintable(each->accessibleName());
    }
    EXPECT_EQ(window->chartPanels().size(), 10U);
}

// With no two blocks equal, each is evaluated at every point of a curve.
Model tallModel()
{
    Model model = *presetNamed("gpt2");
    const BlockRun one{model.runs.front().block, 1};
    model.runs.assign(300, one);
    int width = 512;
    for (BlockRun& run : model.runs) {
        get<DenseFfn>(run.block.ffn).dFf = width;
        width += 8;
    }
    return model;
}

TEST_F(ChartPagesTest, ASlowCurveFollowsWhenItIsMade)
{
    replaceModel(window->document(), tallModel());
    window->charts().finish();
    const QString before = panel("panel.scaling").view().figure()->summary();
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "d_model").front(),
                 std::int64_t{1536});
    window->settle();
    EXPECT_EQ(panel("panel.scaling").view().figure()->summary(), before);
    window->charts().finish();
    const QString after = panel("panel.scaling").view().figure()->summary();
    EXPECT_NE(after, before);
    EXPECT_EQ(after, window->charts().figure(ChartId::scaling)->summary());
}

TEST_F(ChartPagesTest, ASlowCurveNeverReplacesALaterOne)
{
    replaceModel(window->document(), tallModel());
    window->charts().finish();
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "d_model").front(),
                 std::int64_t{1536});
    window->settle();
    panel("panel.scaling").view().figure(); // asks for it
    replaceModel(window->document(), *presetNamed("gpt2"));
    window->settle();
    const QString small = panel("panel.scaling").view().figure()->summary();
    EXPECT_EQ(small, window->charts().figure(ChartId::scaling)->summary());
    window->charts().finish();
    EXPECT_EQ(panel("panel.scaling").view().figure()->summary(), small);
}

TEST_F(ChartPagesTest, EmptyRunTimesAreOneLargeButton)
{
    auto& offer = child<QPushButton>("runTimeView.measure");
    FigureView& view = panel("panel.runTime").view();
    EXPECT_TRUE(offer.isVisible());
    EXPECT_TRUE(view.rect().contains(offer.geometry()));
    EXPECT_EQ(offer.text(), QStringLiteral("Measure on this CPU"));
    QObject::disconnect( // no program is started
        &window->pages(),
        &ChartPages::measuringRequested,
        nullptr,
        nullptr);
    QSignalSpy asked(&window->pages(), &ChartPages::measuringRequested);
    QTest::keyClick(&offer, Qt::Key_Space);
    EXPECT_EQ(asked.count(), 1);

    RunTimes times = window->measuring().runTimes();
    times.times.assign(times.parts.size(), {});
    for (PartTime& each : times.times) {
        each.state = PartState::queued;
    }
    window->charts().setRunTimes(times);
    window->settle();
    (void)view.figure();
    EXPECT_FALSE(offer.isVisible()) << "it is being measured";

    window->charts().setRunTimes(window->measuring().runTimes());
    window->settle();
    (void)view.figure();
    EXPECT_TRUE(offer.isVisible());
    window->pages().offerMeasuringOn({});
    EXPECT_FALSE(offer.isVisible()) << "of a device that cannot";
}

} // namespace
} // namespace flopsmith::ui
