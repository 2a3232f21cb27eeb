// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/base/figure_view.h"
#include "ui/charts/base/sentence_figure.h"
#include "ui/charts/run_time/run_time_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QImage>
#include <QTest>

namespace flopsmith::ui {
namespace {

using testing::HasSubstr;

ScalingChart curvesOf(const Scenario& scenario, std::string_view key)
{
    return scalingChart(usualVariants(scenario), {.axis = usualAxis(scenario, key).value()});
}

Donuts donutsOf(const Scenario& scenario, const std::vector<PartTime>& times)
{
    const CostTree<Count> tree = costTree(scenario);
    return usualDonuts(scenario, tree, LensId::exact, measuredParts(scenario), times, "this CPU");
}

int differentPixels(const QImage& a, const QImage& b)
{
    int different = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        }
    }
    return different;
}

QImage drawnIn(int pixels, const QSize& size)
{
    FigureView view(QStringLiteral("Scaling"));
    QFont type;
    type.setPixelSize(pixels);
    view.setFont(type);
    view.resize(size);
    view.setFigure(std::make_unique<ScalingFigure>(curvesOf(scenarioOf("tiny"), "seq")));
    return view.grab().toImage();
}

TEST(FigureView, ARingShowsThatKeysHaveBroughtTheFocus)
{
    FigureView view(QStringLiteral("Share"));
    view.resize(400, 300);
    view.setFigure(std::make_unique<SentenceFigure>(QStringLiteral("Share"), QStringLiteral("x")));
    view.show();
    view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&view));
    view.clearFocus();
    const QImage without = view.grab().toImage();
    const auto focusedBy = [&](Qt::FocusReason reason) {
        view.clearFocus();
        view.setFocus(reason);
        return view.grab().toImage();
    };

    for (const auto reason :
         {Qt::TabFocusReason, Qt::BacktabFocusReason, Qt::ShortcutFocusReason}) {
        EXPECT_GT(differentPixels(focusedBy(reason), without), 2 * (400 + 300) - 100);
    }
    EXPECT_EQ(differentPixels(focusedBy(Qt::MouseFocusReason), without), 0);
    view.clearFocus();
    EXPECT_EQ(differentPixels(view.grab().toImage(), without), 0);
}

TEST(FigureView, LargeTypeGrowsWhereThereIsRoomForIt)
{
    EXPECT_EQ(drawnIn(20, {380, 210}), drawnIn(13, {380, 210}));
    EXPECT_NE(drawnIn(20, {900, 600}), drawnIn(13, {900, 600}));
    EXPECT_NE(drawnIn(10, {380, 210}), drawnIn(13, {380, 210}));
}

TEST(FigureView, ComputesItsContentOnlyWhenItIsPainted)
{
    int computed = 0;
    const Scenario scenario = scenarioOf("tiny");
    FigureView view(QStringLiteral("Scaling"));
    const auto change = [&] {
        view.setSource([&] {
            ++computed;
            return std::make_unique<ScalingFigure>(curvesOf(scenario, "seq"));
        });
    };

    change();
    QApplication::processEvents();
    EXPECT_EQ(computed, 0) << "a hidden view computes nothing";

    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    QApplication::processEvents();
    computed = 0;
    for (int i = 0; i < 50; ++i) {
        change(); // one frame's worth of slider steps
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return computed > 0; }));
    EXPECT_EQ(computed, 1);
}

TEST(FigureView, ShowsThatThereIsNoModelYet)
{
    FigureView view(QStringLiteral("Share"));
    view.resize(400, 300);
    QImage blank(view.size(), QImage::Format_ARGB32);
    blank.fill(Qt::transparent);

    const QImage shown = view.grab().toImage();

    EXPECT_EQ(view.figure(), nullptr);
    EXPECT_GT(differentPixels(
                  shown, FigureView(QStringLiteral("Share")).grab(QRect(0, 0, 400, 300)).toImage()),
              0);
}

TEST(FigureView, FollowsTheThemeAndTheHatchingSwitch)
{
    const Scenario scenario = scenarioOf("llama-3-8b"); // its gated FFN has a pattern
    FigureView view(QStringLiteral("Share"));
    view.resize(540, 330);
    view.setFigure(std::make_unique<ShareFigure>(donutsOf(scenario, timesOf(scenario, 1000))));
    const QImage light = view.grab().toImage();

    view.setTheme(darkTheme());
    const QImage dark = view.grab().toImage();
    view.setHatching(true);
    const QImage hatched = view.grab().toImage();

    EXPECT_GT(differentPixels(light, dark), 500);
    EXPECT_GT(differentPixels(dark, hatched), 10);
}

TEST(FigureView, TheScaleEnlargesTypeAndShortensNumbers)
{
    FigureView view(QStringLiteral("Share"));
    view.resize(540, 330);
    QString number;
    const auto source = [&number]() -> std::unique_ptr<Figure> {
        number = QString::fromStdString(siText(218'712'345'678.0));
        return std::make_unique<SentenceFigure>(QStringLiteral("Share"), number);
    };
    view.setSource(source);
    const QImage usual = view.grab().toImage();
    EXPECT_EQ(number, QStringLiteral("218.7 G"));

    view.setScale(lectureScale());
    view.setSource(source);
    const QImage large = view.grab().toImage();

    EXPECT_EQ(number, QStringLiteral("219 G"));
    EXPECT_DOUBLE_EQ(view.font().pointSizeF(), kLecturePoints);
    EXPECT_GT(differentPixels(usual, large), 100);
    view.setScale({});
    view.setSource(source);
    EXPECT_EQ(differentPixels(view.grab().toImage(), usual), 0);
}

TEST(FigureView, ArrowKeysVisitEveryHotspot)
{
    const Scenario scenario = scenarioOf("gpt2");
    FigureView view(QStringLiteral("Run time"));
    view.resize(400, 330);
    view.setFigure(std::make_unique<RunTimeFigure>(
        runTimeTable(measuredParts(scenario), timesOf(scenario, 1000), {}, std::nullopt)));
    const auto rows = static_cast<int>(measuredParts(scenario).size());

    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(view.currentHotspot(), 0);
    for (int i = 0; i < rows + 5; ++i) {
        QTest::keyClick(&view, Qt::Key_Right);
    }
    EXPECT_EQ(view.currentHotspot(), rows - 1);
    QTest::keyClick(&view, Qt::Key_Home);
    EXPECT_EQ(view.currentHotspot(), 0);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(view.currentHotspot(), -1);
}

TEST(FigureView, ThePointerShowsACardAndLeavingHidesIt)
{
    const Scenario scenario = scenarioOf("gpt2");
    FigureView view(QStringLiteral("Scaling"));
    view.resize(400, 330);
    view.setFigure(std::make_unique<ScalingFigure>(curvesOf(scenario, "seq")));
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    const QImage before = view.grab().toImage();

    QTest::mouseMove(&view, QPoint(200, 150));
    QTest::mouseMove(&view, QPoint(210, 150));
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.currentHotspot() >= 0; }));
    EXPECT_GT(differentPixels(before, view.grab().toImage()), 200);

    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&view, &leave);
    EXPECT_EQ(view.currentHotspot(), -1);
    EXPECT_EQ(differentPixels(before, view.grab().toImage()), 0);
}

TEST(FigureView, IsAChartWithASummaryForScreenReaders)
{
    const Scenario scenario = scenarioOf("gpt2");
    FigureView view(QStringLiteral("Share"));
    view.setFigure(std::make_unique<ShareFigure>(donutsOf(scenario, {})));
    view.resize(540, 330);

    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&view);
    ASSERT_NE(accessible, nullptr);
    EXPECT_EQ(accessible->role(), QAccessible::Chart);
    EXPECT_EQ(accessible->text(QAccessible::Name), QStringLiteral("Share"));
    EXPECT_THAT(accessible->text(QAccessible::Description).toStdString(), HasSubstr("Attention"));

    view.setCurrentHotspot(1);
    EXPECT_THAT(accessible->text(QAccessible::Description).toStdString(), HasSubstr("Embedding"));
}

TEST(FigureView, TheNextFigureTakesOverThePlot)
{
    struct Reusing : SentenceFigure
    {
        Reusing()
            : SentenceFigure(QStringLiteral("title"), QStringLiteral("sentence"))
        {}
        void reuse(Figure& figure) override { replaced = &figure; }
        const Figure* replaced = nullptr;
    };
    FigureView view(QStringLiteral("Any"));
    view.setFigure(std::make_unique<Reusing>());
    const Figure* first = view.figure();
    EXPECT_EQ(dynamic_cast<const Reusing&>(*first).replaced, nullptr) << "there was none before";

    view.setSource([] { return std::make_unique<Reusing>(); });

    EXPECT_EQ(dynamic_cast<const Reusing&>(*view.figure()).replaced, first);
}

// Random contents, sizes and pointer moves; a warning by Qt fails the test (see window_main.cpp).
TEST(FigureView, SurvivesAMonkey)
{
    Random random(20240607);
    FigureView share(QStringLiteral("Share"));
    FigureView scaling(QStringLiteral("Scaling"));
    FigureView runTime(QStringLiteral("Run time"));
    const std::vector<FigureView*> views{&share, &scaling, &runTime};
    for (FigureView* view : views) {
        view->show();
    }
    const std::vector<std::string_view> keys{
        "seq", "d_model", "layers", "batch", "k_freq", "heads"};
    for (int step = 0; step < 80; ++step) {
        const auto preset = static_cast<std::size_t>(
            random.integer(0, static_cast<std::int64_t>(presets().size()) - 1));
        const Scenario scenario = scenarioOf(presets()[preset].id);
        const auto parts = measuredParts(scenario);
        const auto times = randomTimes(parts.size(), random);
        share.setFigure(std::make_unique<ShareFigure>(
            donutsOf(scenario, random.uniform() < 0.2 ? std::vector<PartTime>{} : times)));
        const auto key = keys[static_cast<std::size_t>(random.integer(0, 5))];
        if (const auto axis = usualAxis(scenario, key)) {
            scaling.setFigure(std::make_unique<ScalingFigure>(
                scalingChart(usualVariants(scenario), {.axis = *axis})));
        }
        const auto peaks = random.uniform() < 0.5
            ? std::optional(roofsOf({random.uniform() * 1e12, random.uniform() * 1e11}))
            : std::nullopt;
        runTime.setFigure(std::make_unique<RunTimeFigure>(runTimeTable(parts, times, {}, peaks)));
        for (FigureView* view : views) {
            view->resize(static_cast<int>(random.integer(20, 900)),
                         static_cast<int>(random.integer(20, 700)));
            view->setTheme(random.uniform() < 0.5 ? lightTheme() : darkTheme());
            view->setHatching(random.uniform() < 0.1);
            const QPoint place(static_cast<int>(random.integer(0, view->width() - 1)),
                               static_cast<int>(random.integer(0, view->height() - 1)));
            QTest::mouseMove(view, place);
            QTest::mouseClick(view, Qt::LeftButton, {}, place);
            QTest::keyClick(view, random.uniform() < 0.5 ? Qt::Key_Right : Qt::Key_Left);
        }
        QApplication::processEvents();
    }
    for (FigureView* view : views) {
        EXPECT_NE(view->figure(), nullptr);
    }
}

} // namespace
} // namespace flopsmith::ui
