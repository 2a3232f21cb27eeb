// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_page.h"

#include "core/base/text_file.h"
#include "core/lab/lab_file.h"
#include "core/model/presets.h"
#include "tests/ui/lab/fake_worker.h"
#include "tests/ui/waiting.h"
#include "ui/charts/base/export.h"
#include "ui/charts/lab/lab_figure.h"
#include "ui/document/document.h"
#include "ui/lab/arm_chip.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/play_bar.h"
#include "ui/lab/rate_picker.h"
#include "ui/lab/sample_writer.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/values/stop_slider.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace flopsmith::ui {
namespace {

class LabPageTest : public testing::Test
{
protected:
    LabPageTest()
        : document({.model = presets().front().make()})
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("flopsmith-test"));
        page = std::make_unique<LabPage>(document, messages);
        page->session().setFolder(folder.filePath(QStringLiteral("logs")));
        page->session().setWorkers({test::workerThatLearns()});
        page->samples().setProgram(QStringLiteral("/bin/false"));
        const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                           .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                           .seeds = 2,
                           .budget = {.kind = BudgetKind::steps, .steps = 4}};
        const QString file = folder.filePath(QStringLiteral("a.flopsmith-lab"));
        EXPECT_TRUE(
            writeFile(file.toStdString(),
                      labFileText(
                          plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value()))
                .ok());
        page->resize(1240, 560);
        page->show();
        EXPECT_TRUE(page->open(file));
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = page->findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    LabSession& session() { return page->session(); }

    void trainAll()
    {
        page->playBar().play().trigger();
        QTRY_COMPARE_WITH_TIMEOUT(session().state(), LabSession::State::complete, test::kLong);
        page->settle();
    }

    QStringList arms() const
    {
        QStringList names;
        for (const ArmChip* chip : page->arms().chips()) {
            names << chip->arm();
        }
        return names;
    }

    QTemporaryDir folder;
    Document document;
    MessageBar messages;
    std::unique_ptr<LabPage> page;
};

TEST_F(LabPageTest, ShowsRunsFirstAndCurvesWhenThereAreSome)
{
    EXPECT_EQ(page->charts().kind(), LabChartKind::training);
    EXPECT_EQ(child<QLabel>("lab.now.runs").text().left(19), QStringLiteral("Nothing is trained."));

    trainAll();

    EXPECT_EQ(page->charts().kind(), LabChartKind::curves);
    EXPECT_EQ(page->playBar().progressText(), QStringLiteral("27 of 27 runs · all trained"));
    EXPECT_FALSE(page->playBar().play().isEnabled());
    EXPECT_FALSE(page->playBar().play().property("disabledReason").toString().isEmpty());
    EXPECT_TRUE(child<QLabel>("lab.now.verdicts").text().startsWith(QLatin1String("dense: ")));
    EXPECT_TRUE(child<QLabel>("lab.now.partsTitle").isVisibleTo(page.get()));
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
    QTest::mouseClick(dense, Qt::LeftButton, {}, QPoint(dense->width() - 12, dense->height() / 2));
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

    automatic.click();
    EXPECT_FALSE(session().plan().tunes);
    slider.setValue(slider.maximum());
    EXPECT_EQ(session().plan().baseRate, 1.0);
    EXPECT_EQ(child<QLabel>("lab.rate.text").text(), QStringLiteral("1e0"));

    automatic.click();
    EXPECT_TRUE(session().plan().tunes);
    EXPECT_EQ(session().plan().baseRate, 3e-3);
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

// Nothing is repainted for a log that nobody sees.
TEST_F(LabPageTest, TrainsWhileItIsHidden)
{
    page->hide();
    page->playBar().play().trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session().state(), LabSession::State::complete, test::kLong);

    page->show();
    page->settle();
    EXPECT_EQ(page->charts().kind(), LabChartKind::curves);
}

} // namespace
} // namespace flopsmith::ui
