// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_page.h"

#include "core/lab/results/learned_claims.h"
#include "tests/ui/lab/lab_page_fixture.h"
#include "tests/ui/waiting.h"
#include "ui/charts/base/export.h"
#include "ui/charts/lab/lab_figure.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/rate_picker.h"
#include "ui/lab/recent_labs.h"
#include "ui/lab/result_actions.h"
#include "ui/widgets/values/stop_slider.h"

#include <QApplication>
#include <QCheckBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

namespace flopsmith::ui {
namespace {

using test::LabPageTest;

TEST_F(LabPageTest, ShowsRunsFirstAndCurvesWhenThereAreSome)
{
    EXPECT_EQ(page->charts().kind(), LabChartKind::training);
    EXPECT_EQ(child<QLabel>("lab.now.runs").text().left(20),
              QStringLiteral("Nothing is training."));

    trainAll();

    EXPECT_EQ(page->charts().kind(), LabChartKind::curves);
    const QString runs = page->playBar().progressText().section(QLatin1Char(' '), 0, 0);
    EXPECT_EQ(page->playBar().progressText(),
              QStringLiteral("%1 of %1 runs · all trained").arg(runs));
    EXPECT_GE(runs.toInt(), 27); // more where two learning rates are close
    EXPECT_FALSE(page->playBar().play().isEnabled());
    EXPECT_FALSE(page->playBar().play().property("disabledReason").toString().isEmpty());
    const auto& verdicts = child<QLabel>("lab.now.verdicts");
    EXPECT_TRUE(verdicts.accessibleName().startsWith(QLatin1String("dense: ")));
    EXPECT_TRUE(verdicts.text().contains(QLatin1String("<b>dense</b>: ")));
    EXPECT_TRUE(child<QLabel>("lab.now.partsTitle").isVisibleTo(page.get()));
}

TEST_F(LabPageTest, SaysThatStepsAreTimedWhenAllRunsAreTrained)
{
    session().setWorkers({test::workerThatTimes()});
    page->playBar().play().trigger();
    EXPECT_FALSE(session().isTiming());
    ASSERT_SOON(session().isTiming());
    page->settle();

    EXPECT_EQ(session().runs().done, session().runs().planned);
    EXPECT_TRUE(child<QLabel>("lab.now.runs").text().contains(QLatin1String("being timed")));
    EXPECT_TRUE(page->playBar().progressText().contains(QStringLiteral(" · timing steps · ")));
}

TEST_F(LabPageTest, SaysThatAllSeedsDiverged)
{
    session().setWorkers({test::workerThatDiverges()});
    page->playBar().rate().automatic().click();

    trainAll();

    const auto& verdicts = child<QLabel>("lab.now.verdicts");
    EXPECT_TRUE(verdicts.isVisibleTo(page.get()));
    EXPECT_TRUE(verdicts.accessibleName().startsWith(QLatin1String("dense: diverged on ")));
}

TEST_F(LabPageTest, OnlyALabWithALogCanBeRestarted)
{
    QAction& restart = page->playBar().reset();
    EXPECT_FALSE(restart.isEnabled());
    EXPECT_FALSE(restart.property("disabledReason").toString().isEmpty());
    trainAll();
    EXPECT_TRUE(restart.isEnabled());

    restart.trigger();

    EXPECT_EQ(session().runs().done, 0U);
    EXPECT_FALSE(restart.isEnabled());
}

// What the page shows is what the command line draws of its log.
TEST_F(LabPageTest, ItsChartsAreThoseOfTheLog)
{
    trainAll();
    for (const LabChartKind kind :
         {LabChartKind::training, LabChartKind::curves, LabChartKind::norms, LabChartKind::rates}) {
        page->charts().setKind(kind);
        const LabFigure drawn(
            labChart(session().log(), kind, page->charts().view(), session().references()));
        const Figure* shown = page->charts().curves().view().figure();
        ASSERT_NE(shown, nullptr);
        EXPECT_EQ(exported(*shown, ExportFormat::svg, {}), exported(drawn, ExportFormat::svg, {}));
    }
}

TEST_F(LabPageTest, ArmsAreAddedByTheMenuAndTakenAwayByDelete)
{
    EXPECT_EQ(arms(), (QStringList{"dense", "none", "linear"}));

    child<QAction>("lab.add.spectral").trigger();
    EXPECT_TRUE(arms().contains(QStringLiteral("spectral")));
    EXPECT_TRUE(arms().join(QLatin1Char(' ')).contains(QLatin1String("dense_f")));

    ArmChip* spectral = page->arms().chips().at(1);
    ASSERT_EQ(spectral->arm(), QStringLiteral("spectral"));
    QTest::keyClick(spectral, Qt::Key_Delete);
    EXPECT_EQ(arms(), (QStringList{"dense", "none", "linear"}));

    ArmChip* dense = page->arms().chips().front();
    const QPoint cross(dense->width() - 12, dense->height() / 2);
    QTest::mouseClick(dense, Qt::RightButton, {}, cross);
    EXPECT_TRUE(arms().contains(QStringLiteral("dense")));
    QTest::mouseClick(dense, Qt::LeftButton, {}, cross);
    EXPECT_EQ(arms(), (QStringList{"none", "linear"}));

    ArmChip* none = page->arms().chips().front();
    QTest::keyClick(none, Qt::Key_Delete);
    EXPECT_EQ(arms(), (QStringList{"none", "linear"}));
}

TEST_F(LabPageTest, EveryVariantCanBeAdded)
{
    for (const ArmName& arm : armNames()) {
        if (auto* action = page->findChild<QAction*>(
                QStringLiteral("lab.add.") + QString::fromStdString(std::string(arm.name)))) {
            action->trigger();
            EXPECT_NE(session().plan().arm(arm.name), nullptr) << arm.name;
        } else {
            EXPECT_TRUE(arm.name == kNoFfnArm || arm.name == kLinearArm) << arm.name;
        }
    }
    EXPECT_TRUE(messages.sentence().isEmpty()) << messages.sentence().toStdString();
}

TEST_F(LabPageTest, TheDesignAtHandIsAnArm)
{
    child<QAction>("lab.add.design").trigger();

    const Arm* design = session().plan().arm("design");
    ASSERT_NE(design, nullptr) << messages.sentence().toStdString();
    EXPECT_EQ(design->ffn.index(), document.model().runs.front().block.ffn.index());
}

TEST_F(LabPageTest, TheRateIsFoundOrSetByHand)
{
    QCheckBox& automatic = page->playBar().rate().automatic();
    StopSlider& slider = page->playBar().rate().slider();
    EXPECT_TRUE(automatic.isChecked());
    EXPECT_FALSE(slider.isEnabled());

    EXPECT_EQ(child<QLabel>("lab.rate.text").toolTip(), QStringLiteral("not found for dense yet"));

    automatic.click();
    EXPECT_FALSE(session().plan().tunes);
    EXPECT_EQ(child<QLabel>("lab.rate.text").toolTip(), QString()); // it is no arm's own
    slider.setValue(slider.maximum());
    EXPECT_EQ(session().plan().baseRate, 1.0);
    EXPECT_EQ(child<QLabel>("lab.rate.text").text(), QStringLiteral("1e0"));

    automatic.click();
    EXPECT_TRUE(session().plan().tunes);
    EXPECT_EQ(session().plan().baseRate, 3e-3);
}

TEST_F(LabPageTest, SaysThatAnotherRateBeginsAnewOnlyIfThereWasALog)
{
    page->playBar().rate().automatic().click();
    EXPECT_EQ(messages.sentence(), QString()); // nothing was trained
    trainAll();

    page->playBar().rate().slider().setValue(0);
    EXPECT_TRUE(session().log().runs.empty());
    EXPECT_TRUE(messages.sentence().startsWith(QLatin1String("Runs at different learning rates")));

    child<QAction>("lab.add.spectral").trigger();
    EXPECT_EQ(messages.sentence(), QString()); // it is of the plan before
}

TEST(RateText, HasADigitAndAPower)
{
    EXPECT_EQ(learningRateText(0.003), QStringLiteral("3e-3"));
    EXPECT_EQ(learningRateText(0.0094868), QStringLiteral("9.5e-3"));
    EXPECT_EQ(learningRateText(0.00999), QStringLiteral("1e-2"));
    EXPECT_EQ(learningRateText(0.0), QStringLiteral("0"));
}

TEST_F(LabPageTest, TheViewIsThatOfTheBudgetUntilAnotherIsChosen)
{
    EXPECT_EQ(page->charts().view(), LabView::steps);
    child<QAction>("lab.budget.flops").trigger();
    EXPECT_EQ(page->charts().view(), LabView::flops);
    EXPECT_EQ(session().plan().budget.kind, BudgetKind::flops);

    child<QAction>("lab.view.seconds").trigger();
    EXPECT_EQ(page->charts().view(), LabView::seconds);
}

TEST_F(LabPageTest, TheStepsThatSuitATaskReturnWithABudgetOfSteps)
{
    child<QAction>("lab.task.teacher").trigger();
    const std::int64_t usual = session().plan().budget.steps;
    child<QAction>("lab.budget.flops").trigger();

    child<QAction>("lab.budget.steps").trigger();

    EXPECT_EQ(session().plan().budget.steps, usual);
    EXPECT_EQ(usual, 1'500);
}

// The dialog adds the ending itself, so that it asks before it overwrites.
TEST_F(LabPageTest, TheDialogToSaveAPlanKnowsTheEnding)
{
    QString suffix;
    QTimer::singleShot(0, page.get(), [&suffix] {
        if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
            suffix = dialog->defaultSuffix();
            dialog->reject();
        }
    });

    child<QAction>("lab.file.save").trigger();

    EXPECT_EQ(suffix, QStringLiteral("flopsmith-lab"));
}

TEST_F(LabPageTest, EveryTaskAndSizeCanBeChosen)
{
    for (const char* size : {"micro", "small", "nano"}) {
        child<QAction>((std::string("lab.sizes.") + size).c_str()).trigger();
        EXPECT_EQ(session().plan().sizes, sizesNamed(size).value());
    }
    for (const TaskSpec& task : taskPrototypes()) {
        const std::string id(info(task).id);
        child<QAction>(("lab.task." + id).c_str()).trigger();
        EXPECT_EQ(info(session().plan().task).id, id);
    }
    EXPECT_TRUE(messages.sentence().isEmpty()) << messages.sentence().toStdString();
}

TEST_F(LabPageTest, EscapeGoesBackToTheDesign)
{
    int left = 0;
    QObject::connect(page.get(), &LabPage::left, page.get(), [&left] { ++left; });

    QTest::keyClick(page.get(), Qt::Key_Escape);
    EXPECT_EQ(left, 1);
}

TEST_F(LabPageTest, OpensTheLogOfLastTime)
{
    trainAll();
    const QString log = session().logPath();
    page = std::make_unique<LabPage>(document, messages);
    page->show();

    EXPECT_EQ(session().logPath(), log);
    EXPECT_EQ(session().plan().arms.size(), 3U);
}

TEST_F(LabPageTest, OffersTheLastLogsByWhatTheyCompare)
{
    trainAll();
    child<QAction>("lab.add.spectral").trigger();
    trainAll();
    auto& recent = child<QMenu>("lab.recent");
    Q_EMIT recent.aboutToShow();
    ASSERT_EQ(recent.actions().size(), 2);
    EXPECT_TRUE(recent.actions().front()->text().contains(QLatin1String(": dense, spectral (")))
        << recent.actions().front()->text().toStdString();

    recent.actions().back()->trigger();
    EXPECT_EQ(session().plan().arms.size(), 3U);
    page->settle();
    ASSERT_TRUE(QFile::remove(session().logPath()));

    Q_EMIT recent.aboutToShow();
    ASSERT_EQ(recent.actions().size(), 1);
    EXPECT_TRUE(recent.actions().front()->text().contains(QLatin1String("spectral")));
}

TEST(RecentLabs, AreTheLastEightThatAreStillThere)
{
    const QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QStringList files;
    for (int i = 0; i < kMaxRecentLabs + 2; ++i) {
        files.prepend(folder.filePath(QStringLiteral("%1.jsonl").arg(i)));
        ASSERT_TRUE(writeFile(files.front().toStdString(), "nothing\n").ok());
        addRecentLab(files.front());
    }
    EXPECT_EQ(recentLabs(), files.mid(0, kMaxRecentLabs));
    EXPECT_EQ(lastLab(), files.front());
    EXPECT_EQ(labTitle(files.front()), QStringLiteral("9.jsonl")); // it is no log

    addRecentLab(files.at(3));
    ASSERT_TRUE(QFile::remove(files.at(3)));
    EXPECT_FALSE(recentLabs().contains(files.at(3)));
    EXPECT_EQ(lastLab(), QString());
}

TEST_F(LabPageTest, ExportsBothChartsInEveryFormat)
{
    QStringList entries;
    for (const QAction* chart : page->results().exports().actions()) {
        ASSERT_NE(chart->menu(), nullptr);
        for (const QAction* format : chart->menu()->actions()) {
            entries << format->objectName();
        }
    }
    for (const char* chart : {"panel.lab.curves", "panel.lab.bars"}) {
        for (const char* format : {"png", "svg", "pdf", "csv"}) {
            EXPECT_TRUE(entries.contains(QLatin1String(chart) + QLatin1String(".own.")
                                         + QLatin1String(format)))
                << chart << " " << format;
        }
    }
}

TEST_F(LabPageTest, ClaimsAreAskedForOnceThereIsAResult)
{
    auto& button = child<QPushButton>("lab.now.claims");
    EXPECT_FALSE(button.isEnabled());
    trainAll();
    EXPECT_TRUE(button.isEnabled());
    int wanted = 0;
    QObject::connect(page.get(), &LabPage::claimsRequested, page.get(), [&wanted] { ++wanted; });

    button.click();

    EXPECT_EQ(wanted, 1);
}

TEST_F(LabPageTest, AllFfnsOfTheClaimsAreAddedAtOnce)
{
    child<QAction>("lab.add.claims").trigger();

    for (const Arm& arm : claimedArms(session().plan().sizes.dModel)) {
        EXPECT_NE(session().plan().arm(arm.name), nullptr) << arm.name;
    }
    EXPECT_TRUE(messages.sentence().isEmpty()) << messages.sentence().toStdString();
}

TEST_F(LabPageTest, ComparesArmsByTheirNames)
{
    ASSERT_TRUE(page->compare("facts", {"dense", "dense_f32", "ultra"}));
    const LabPlan plan = session().plan();
    EXPECT_EQ(info(plan.task).id, "facts");
    EXPECT_EQ(plan.sizes, LabSizes{});
    EXPECT_EQ(arms().mid(0, 3), (QStringList{"dense", "dense_f32", "ultra"}));

    EXPECT_FALSE(page->compare("nothing", {"dense"}));
    EXPECT_TRUE(messages.sentence().contains(QLatin1String("nothing")));
    EXPECT_FALSE(page->compare("facts", {"unheard"}));
    EXPECT_TRUE(messages.sentence().contains(QLatin1String("unheard")));
    EXPECT_EQ(session().plan(), plan);
}

// As a desktop opens one: before the window is there.
TEST_F(LabPageTest, AnOpenedPlanStaysThoughThereIsALogOfLastTime)
{
    trainAll();
    page = std::make_unique<LabPage>(document, messages);
    ASSERT_TRUE(page->open(folder.filePath(QStringLiteral("a.flopsmith-lab"))));
    child<QAction>("lab.add.spectral").trigger();

    page->show();

    EXPECT_EQ(session().logPath(), QString());
    EXPECT_NE(session().plan().arm("spectral"), nullptr);
}

// A log is not painted while its page is hidden.
TEST_F(LabPageTest, TrainsWhileItIsHidden)
{
    page->hide();
    page->playBar().play().trigger();
    ASSERT_SOON(session().state() == LabSession::State::complete);

    page->show();
    page->settle();
    EXPECT_EQ(page->charts().kind(), LabChartKind::curves);
}

} // namespace
} // namespace flopsmith::ui
