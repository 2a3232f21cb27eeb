// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lab/lab_place.h"

#include "core/base/text_file.h"
#include "core/ffn/dense.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/results/learned_claims.h"
#include "core/model/presets.h"
#include "core/teach/format/lesson_lookup.h"
#include "tests/ui/lab/fake_worker.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/looks/cut_widgets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/document/document.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lecture/lecture_window.h"

#include <QAction>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace flopsmith::ui {
namespace {

class LabPlaceTest : public test::WindowTest
{
protected:
    LabPlaceTest() { prepare(); }

    void prepare()
    {
        window->lab().session().setFolder(folder.filePath(QStringLiteral("logs")));
        window->lab().session().setWorkers({test::workerThatLearns()});
    }

    void showLab() { child<QAction>("view.lab").trigger(); }

    QString labFile(const Arm& arm = {.name = "dense", .ffn = DenseFfn{.dFf = 8}})
    {
        const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                           .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                           .seeds = 2};
        const QString path = folder.filePath(QStringLiteral("a.flopsmith-lab"));
        EXPECT_TRUE(
            writeFile(path.toStdString(), labFileText(plannedLab(plan, {arm}).value())).ok());
        return path;
    }

    void expectWhole(const QSize& size)
    {
        window->resize(size);
        window->settle();
        EXPECT_EQ(test::cutWidgets(*window).join(QStringLiteral("; ")).toStdString(), "")
            << size.width();
        EXPECT_FALSE(window->grab().isNull()); // painted without a warning
    }
};

TEST_F(LabPlaceTest, ItsKeyShowsItInPlaceOfTheDesignAndEscapeGoesBack)
{
    window->stack().setFocus();
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);

    EXPECT_TRUE(window->lab().isVisible());
    EXPECT_FALSE(window->stack().isVisible());
    EXPECT_TRUE(child<QPushButton>("lab.play.button").hasFocus());

    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(window->lab().isVisible());
    EXPECT_TRUE(window->stack().hasFocus());
    EXPECT_FALSE(child<QAction>("view.lab").isChecked());
}

TEST_F(LabPlaceTest, NothingOfItIsCutBeforeAndAfterTraining)
{
    showLab();
    expectWhole({1276, 688});
    ASSERT_TRUE(window->openFile(labFile()));
    expectWhole({1276, 688});

    child<QAction>("lab.play").trigger();
    ASSERT_SOON(window->lab().session().state() == LabSession::State::complete);

    expectWhole({1276, 688});
    expectWhole({1920, 1080});
}

TEST_F(LabPlaceTest, IsAsSmallAsTheWindow)
{
    showLab();
    window->resize(849, 448);
    QCoreApplication::processEvents();
    EXPECT_EQ(window->size(), QSize(849, 448));
}

TEST_F(LabPlaceTest, FillsTheScreenInLargeTypeForAnAudience)
{
    showLab();
    const int usual = child<QPushButton>("lab.play.button").fontMetrics().height();

    child<QAction>("view.lecture").trigger();
    EXPECT_TRUE(window->labPlace().isPresented());
    EXPECT_GT(child<QPushButton>("lab.play.button").fontMetrics().height(), usual);
    expectWhole({1280, 720});
    const ChartPanel& panel = window->lab().charts().curves();
    EXPECT_GE(child<QWidget>("panel.lab.curves.head").height(), panel.fontMetrics().height());
    EXPECT_EQ(child<QWidget>("bar.lab.seeds.chip").height(),
              child<QWidget>("bar.lab.sizes").height());

    QTest::keyClick(&window->lab(), Qt::Key_Escape);
    EXPECT_FALSE(window->labPlace().isPresented());
    EXPECT_TRUE(window->lab().isVisible());
    EXPECT_EQ(child<QPushButton>("lab.play.button").fontMetrics().height(), usual);
}

TEST_F(LabPlaceTest, ItsKeyLeavesTheLargeViewToo)
{
    showLab();
    child<QAction>("view.lecture").trigger();
    ASSERT_TRUE(window->labPlace().isPresented());

    showLab(); // once more

    EXPECT_FALSE(window->labPlace().isPresented());
    EXPECT_TRUE(window->stack().isVisible());
    EXPECT_TRUE(window->bar().isVisible());
    EXPECT_FALSE(window->isFullScreen());
}

// F11 or the window manager may have left it before.
TEST_F(LabPlaceTest, FullScreenTwiceIsTheLargeViewHereToo)
{
    showLab();
    child<QAction>("view.fullScreen").trigger();
    EXPECT_FALSE(window->labPlace().isPresented());

    child<QAction>("view.fullScreen").trigger();
    EXPECT_TRUE(window->labPlace().isPresented());
    EXPECT_FALSE(window->lecture().isOn());
}

TEST_F(LabPlaceTest, ADesignThatIsOpenedTakesItsPlace)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    Document other({.model = presets().front().make()});
    ASSERT_TRUE(other.file().saveAs(path).ok());
    showLab();

    ASSERT_TRUE(window->openFile(path));
    EXPECT_FALSE(window->lab().isVisible());
    EXPECT_TRUE(window->stack().isVisible());

    ASSERT_TRUE(window->openFile(labFile()));
    EXPECT_TRUE(window->lab().isVisible());
    child<QAction>("file.new").trigger();
    EXPECT_FALSE(window->lab().isVisible());
}

TEST_F(LabPlaceTest, DoesNotFillTheScreenWhenTheLargeViewIsLeft)
{
    showLab();
    child<QAction>("view.lecture").trigger();
    window->setWindowState(window->windowState() & ~Qt::WindowFullScreen);

    QTest::keyClick(&window->lab(), Qt::Key_Escape);

    EXPECT_FALSE(window->labPlace().isPresented());
    EXPECT_FALSE(window->isFullScreen());
}

TEST_F(LabPlaceTest, TheClaimsShowWhatTheLabLearned)
{
    const std::vector<Arm> arms = claimedArms(8);
    ASSERT_FALSE(arms.empty());
    ASSERT_TRUE(window->openFile(labFile(arms.front())));
    child<QAction>("lab.play").trigger();
    ASSERT_SOON(window->lab().session().state() == LabSession::State::complete);

    child<QAction>("lab.claims").trigger();

    ClaimsWindow& claims = window->showClaims();
    const auto tried = [&claims] {
        return std::ranges::count_if(claims.content().learned, [](const LearnedClaim& each) {
            return each.verdict != LearnedVerdict::notTried;
        });
    };
    EXPECT_TRUE(claims.showsLab());
    EXPECT_EQ(tried(), 1);
    EXPECT_TRUE(claims.messages().sentence().isEmpty());
    const auto drawn = [&claims] { return claims.panel().view().figure()->summary(); };
    const QString ofLab = drawn();

    claims.findChild<QAction*>(QStringLiteral("claims.lab.own"))->trigger();
    EXPECT_FALSE(claims.showsLab());
    EXPECT_GT(tried(), 1);
    EXPECT_NE(drawn(), ofLab);
    claims.close();
}

TEST_F(LabPlaceTest, ALabWithoutFfnsOfTheClaimsSaysSoThere)
{
    ASSERT_TRUE(window->openFile(labFile()));
    child<QAction>("lab.play").trigger();
    ASSERT_SOON(window->lab().session().state() == LabSession::State::complete);

    child<QPushButton>("lab.now.claims").click();

    ClaimsWindow& claims = window->showClaims();
    EXPECT_TRUE(claims.showsLab());
    EXPECT_TRUE(claims.messages().sentence().startsWith(QLatin1String("No arm of the lab")));
    claims.close();
}

TEST_F(LabPlaceTest, ALessonLeadsToItsLabAndGoesOnAtTheSameStep)
{
    const Lesson lesson = lessonNamed("the-promise").value();
    const auto step = std::ranges::find_if(
        lesson.steps, [](const LessonStep& each) { return each.lab.has_value(); });
    ASSERT_NE(step, lesson.steps.end());
    const auto index = static_cast<int>(step - lesson.steps.begin());
    LessonPlay play = LessonPlay::started(lesson, "en").value();
    ASSERT_TRUE(play.goTo(index));
    window->lecture().startPlay(play);
    LectureWindow& view = *window->lecture().view();
    view.lesson()->reveal(LessonPlay::By::lecturer);

    view.lesson()->findChild<QPushButton*>(QStringLiteral("lesson.lab"))->click();

    EXPECT_FALSE(view.isVisible());
    EXPECT_TRUE(window->lab().isVisible());
    EXPECT_EQ(window->messages().sentence(), QString());
    EXPECT_EQ(info(window->lab().session().plan().task).id, step->lab->task);
    for (const std::string& arm : step->lab->arms) {
        EXPECT_NE(window->lab().session().plan().arm(arm), nullptr) << arm;
    }
    EXPECT_EQ(child<QToolButton>("lab.back").text(), QStringLiteral("lesson"));

    child<QToolButton>("lab.back").click();
    EXPECT_TRUE(view.isVisible());
    EXPECT_EQ(view.lesson()->play().step(), index);
    EXPECT_TRUE(view.lesson()->play().isRevealed());
    EXPECT_FALSE(window->lab().isVisible());
    EXPECT_EQ(child<QToolButton>("lab.back").text(), QStringLiteral("design"));
    window->lecture().leave();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

// From the whole screen and back to it.
TEST_F(LabPlaceTest, ALessonForAnAudienceHasALabForAnAudience)
{
    const Lesson lesson = lessonNamed("the-promise").value();
    ASSERT_TRUE(window->lecture().startLesson(lesson, true));
    LectureWindow& view = *window->lecture().view();

    Q_EMIT view.labRequested({.task = "facts", .arms = {"dense"}});
    EXPECT_TRUE(window->labPlace().isPresented());

    QTest::keyClick(&window->lab(), Qt::Key_Escape);
    EXPECT_FALSE(window->labPlace().isPresented());
    EXPECT_FALSE(window->lab().isVisible());
    EXPECT_TRUE(view.isFullScreen());
    EXPECT_EQ(QApplication::palette().color(QPalette::Window),
              palette(lectureTheme()).color(QPalette::Window));
    window->lecture().leave();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

TEST_F(LabPlaceTest, NothingIsMeasuredByItselfWhileItTrains)
{
    ASSERT_TRUE(window->openFile(labFile()));
    window->measuring().setAutomatic(true);
    window->lab().session().setWorkers({test::workerThatWaits()});

    child<QAction>("lab.play").trigger();
    EXPECT_FALSE(window->measuring().isAutomatic());
    child<QAction>("lab.play").trigger();
    EXPECT_EQ(window->lab().session().state(), LabSession::State::paused);
    EXPECT_TRUE(window->measuring().isAutomatic());
    window->measuring().setAutomatic(false);
}

TEST_F(LabPlaceTest, AFileThatIsNoLabIsSaidInTheWindow)
{
    const QString path = folder.filePath(QStringLiteral("broken.jsonl"));
    ASSERT_TRUE(writeFile(path.toStdString(), "nothing\n").ok());

    EXPECT_FALSE(window->openFile(path));

    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("broken.jsonl")));
    EXPECT_TRUE(window->lab().isVisible());
}

} // namespace
} // namespace flopsmith::ui
