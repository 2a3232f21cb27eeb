// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lab/lab_place.h"

#include "core/base/text_file.h"
#include "core/lab/lab_file.h"
#include "tests/ui/lab/fake_worker.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/looks/cut_widgets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"

#include <QAction>
#include <QPushButton>

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

    QString labFile()
    {
        const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                           .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                           .seeds = 2};
        const std::vector<Arm> arms{{.name = "dense", .ffn = DenseFfn{.dFf = 8}}};
        const QString path = folder.filePath(QStringLiteral("a.flopsmith-lab"));
        EXPECT_TRUE(
            writeFile(path.toStdString(), labFileText(plannedLab(plan, arms).value())).ok());
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
    QTRY_COMPARE_WITH_TIMEOUT(
        window->lab().session().state(), LabSession::State::complete, test::kLong);

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

    QTest::keyClick(&window->lab(), Qt::Key_Escape);
    EXPECT_FALSE(window->labPlace().isPresented());
    EXPECT_TRUE(window->lab().isVisible());
    EXPECT_EQ(child<QPushButton>("lab.play.button").fontMetrics().height(), usual);
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
