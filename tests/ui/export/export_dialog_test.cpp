// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "core/export/torch/model_source.h"
#include "core/mixer/attention.h"
#include "tests/support/small_scenario.h"
#include "tests/ui/export/fake_python.h"
#include "tests/ui/waiting.h"
#include "ui/export/source_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QTextBlock>

namespace flopsmith::ui {
namespace {

class ExportDialogTest : public testing::Test
{
protected:
    ExportDialogTest()
    {
        dialog = new ExportDialog(document, exportTargets().front(), window);
        dialog->show();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !dialog->planned().isEmpty(); }, test::kLong));
    }

    QString program() const
    {
        return QString::fromStdString(torch::modelSource(document.scenario()).value());
    }

    QString newFolder() const { return place.filePath(QStringLiteral("x")); }

    // Waits until nothing is under way.
    void exportTo(const QString& folder)
    {
        dialog->exportTo(folder);
        EXPECT_TRUE(QTest::qWaitFor(
            [this] { return !dialog->exportButton().text().startsWith(QLatin1String("St")); },
            test::kLong));
    }

    QString fileIn(const QString& folder, const char* name) const
    {
        QFile file(folder + QLatin1Char('/') + QLatin1String(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return QString::fromUtf8(file.readAll());
    }

    void choose(const char* name)
    {
        const auto found = dialog->classes().findItems(QLatin1String(name), Qt::MatchExactly);
        ASSERT_EQ(found.size(), 1) << name;
        dialog->classes().setCurrentItem(found.front());
    }

    test::FakePython python;
    QTemporaryDir place;
    Document document{flopsmith::test::smallPreset("gpt2")};
    QWidget window;
    QPointer<ExportDialog> dialog; ///< the window's
};

TEST_F(ExportDialogTest, ShowsTheProgramAndItsClassesInTheirOrder)
{
    EXPECT_EQ(dialog->source().toPlainText(), program());
    QStringList wanted;
    for (const QString& line : program().split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("class "))) {
            wanted << line.section(QLatin1Char(' '), 1).section(QLatin1Char('('), 0, 0);
        }
    }
    QStringList shown;
    for (int row = 0; row < dialog->classes().count(); ++row) {
        shown << dialog->classes().item(row)->text();
    }

    EXPECT_GT(wanted.size(), 2);
    EXPECT_EQ(shown, wanted);
    EXPECT_EQ(shown.back(), QStringLiteral("Model"));
}

TEST_F(ExportDialogTest, GoesToAClassThatIsChosen)
{
    choose("Model");

    EXPECT_TRUE(
        dialog->source().textCursor().block().text().startsWith(QLatin1String("class Model(")));
    EXPECT_GT(dialog->source().verticalScrollBar()->value(), 0);
}

TEST_F(ExportDialogTest, CopiesExactlyTheClass)
{
    choose("Model");
    dialog->copyClassButton().click();

    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.startsWith(QLatin1String("class Model(nn.Module):\n")));
    EXPECT_TRUE(program().endsWith(copied));
    EXPECT_TRUE(dialog->message().contains(QLatin1String("It also needs")));

    QTest::keyClick(&dialog->classes(), Qt::Key_Up);
    dialog->copyClassButton().click();
    const QString other = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(other.startsWith(QLatin1String("class ")));
    EXPECT_EQ(other.count(QLatin1String("\nclass ")), 0);
    EXPECT_TRUE(program().contains(other));
}

TEST_F(ExportDialogTest, CopiesTheClassOfTheListByItsKeyAndAll)
{
    choose("Model");
    dialog->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
    dialog->classes().setFocus();
    QTest::keyClick(&dialog->classes(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QLatin1String("class Model(")));

    dialog->copyAllButton().click();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), program());
}

TEST_F(ExportDialogTest, FollowsTheDocumentAndKeepsTheClass)
{
    choose("Model");
    document.start(flopsmith::test::smallPreset("llama-3-8b"));

    EXPECT_TRUE(QTest::qWaitFor([this] { return dialog->source().toPlainText() == program(); },
                                test::kLong));
    EXPECT_EQ(dialog->classes().currentItem()->text(), QStringLiteral("Model"));
}

TEST_F(ExportDialogTest, SaysBeforehandWhatItWillWrite)
{
    EXPECT_TRUE(dialog->planned().contains(QLatin1String("Outputs and gradients")));
    EXPECT_FALSE(dialog->gradients().isEnabled()); // they are computed anyway
    dialog->weights().setChecked(false);
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return dialog->planned().contains(QLatin1String("not written")); }, test::kLong));

    dialog->weights().setChecked(true);
    document.start(Scenario{.model = *presetNamed("gpt2")});
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return dialog->planned().contains(QLatin1String("only if asked")); },
        test::kLong));
    EXPECT_TRUE(dialog->gradients().isEnabled());
    dialog->gradients().setChecked(true);
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return dialog->planned().contains(QLatin1String("Outputs and gradients")); },
        test::kLong));
}

TEST_F(ExportDialogTest, SaysWhyADesignCannotBeExported)
{
    Scenario scenario = document.scenario();
    scenario.model.runs.front().block.mixer =
        Attention{.heads = 2, .kvHeads = 2, .positionBias = PositionBias::sharedRelative};
    document.start(scenario);
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return dialog->planned().contains(QLatin1String("shares a table")); },
        test::kLong));

    EXPECT_FALSE(dialog->exportButton().isEnabled());
    EXPECT_FALSE(dialog->copyClassButton().isEnabled());
    EXPECT_EQ(dialog->classes().count(), 0);
    dialog->exportTo(newFolder());
    EXPECT_FALSE(QFileInfo::exists(newFolder()));
}

TEST_F(ExportDialogTest, WritesTheFolder)
{
    exportTo(newFolder());

    EXPECT_TRUE(dialog->message().startsWith(QLatin1String("Written: ") + newFolder()))
        << qPrintable(dialog->message());
    EXPECT_EQ(fileIn(newFolder(), "model.py"), program());
    EXPECT_TRUE(QFileInfo::exists(newFolder() + QStringLiteral("/model.safetensors")));
    EXPECT_TRUE(QFileInfo::exists(newFolder() + QStringLiteral("/expected.safetensors")));
    EXPECT_EQ(QDir(place.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
}

TEST_F(ExportDialogTest, WritesTheProgramAlone)
{
    dialog->weights().setChecked(false);
    exportTo(newFolder());

    EXPECT_FALSE(QFileInfo::exists(newFolder() + QStringLiteral("/model.safetensors")));
    EXPECT_TRUE(dialog->checked().contains(QLatin1String("nothing to compare with")));
}

TEST_F(ExportDialogTest, DrawsOtherWeightsFromAnotherSeed)
{
    exportTo(newFolder());
    dialog->seed().setValue(8);
    const QString other = place.filePath(QStringLiteral("y"));
    exportTo(other);

    EXPECT_EQ(fileIn(other, "model.py"), program());
    EXPECT_NE(fileIn(newFolder(), "model.safetensors"), fileIn(other, "model.safetensors"));
}

TEST_F(ExportDialogTest, RefusesAFolderThatExists)
{
    QDir(place.path()).mkdir(QStringLiteral("x"));
    exportTo(newFolder());

    EXPECT_TRUE(dialog->message().contains(QLatin1String("exists; name a new folder")));
    EXPECT_TRUE(QDir(newFolder()).isEmpty());
}

TEST_F(ExportDialogTest, SaysWhyAFolderCannotBeMade)
{
    exportTo(place.filePath(QStringLiteral("none/x")));

    EXPECT_TRUE(dialog->message().contains(QLatin1String("cannot make the folder")))
        << qPrintable(dialog->message());
}

TEST_F(ExportDialogTest, TellsWhereItWasCheckedAndWithWhatResult)
{
    EXPECT_TRUE(dialog->checked().startsWith(QLatin1String("Not checked yet")));
    exportTo(newFolder());
    EXPECT_TRUE(dialog->checked().startsWith(
        QLatin1String("Not checked here (there is no /nowhere/python)")))
        << qPrintable(dialog->checked());
    EXPECT_TRUE(dialog->checked().contains(newFolder() + QStringLiteral("/check.py")));

    python.does("echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1");
    exportTo(place.filePath(QStringLiteral("without")));
    EXPECT_TRUE(dialog->checked().contains(python.path() + QStringLiteral(": it has no torch")))
        << qPrintable(dialog->checked());

    python.does("test -f \"$1\" && echo 'outputs: max 1e-15: equal'");
    exportTo(place.filePath(QStringLiteral("equal")));
    EXPECT_EQ(dialog->checked(),
              QStringLiteral("Checked here by %1: outputs: max 1e-15: equal").arg(python.path()));

    python.does("echo 'outputs: max 1: NOT EQUAL'; exit 1");
    exportTo(place.filePath(QStringLiteral("different")));
    EXPECT_TRUE(dialog->checked().contains(QLatin1String("and it is different: outputs: max 1")));
}

TEST_F(ExportDialogTest, SaysThatTheDesignHasChangedSince)
{
    const auto& age = *dialog->findChild<QLabel*>(QStringLiteral("export.torch.age"));
    exportTo(newFolder());
    EXPECT_TRUE(age.isHidden());

    document.start(flopsmith::test::smallPreset("llama-3-8b"));
    EXPECT_TRUE(QTest::qWaitFor([&age] { return !age.isHidden(); }, test::kLong));
}

TEST_F(ExportDialogTest, IsStoppedWhileItChecks)
{
    python.does("exec sleep 600");
    dialog->exportTo(newFolder());
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return dialog->checked().startsWith(QLatin1String("Checking")); }, test::kLong));
    dialog->exportButton().click();

    EXPECT_TRUE(dialog->checked().contains(QLatin1String("it was stopped")));
    EXPECT_TRUE(dialog->exportButton().text().startsWith(QLatin1String("E&xport")));
}

TEST_F(ExportDialogTest, EndsWhatItDoesWhereItIsClosed)
{
    dialog->exportTo(newFolder());
    dialog->close();

    EXPECT_TRUE(QTest::qWaitFor([this] { return dialog.isNull(); }, test::kLong));
    EXPECT_FALSE(QFileInfo::exists(newFolder() + QStringLiteral(".partial")));
}

TEST_F(ExportDialogTest, EveryControlHasANameAndIsAccessible)
{
    for (const QWidget* widget : {static_cast<const QWidget*>(dialog),
                                  static_cast<const QWidget*>(&dialog->classes()),
                                  static_cast<const QWidget*>(&dialog->source()),
                                  static_cast<const QWidget*>(&dialog->copyClassButton()),
                                  static_cast<const QWidget*>(&dialog->copyAllButton()),
                                  static_cast<const QWidget*>(&dialog->seed()),
                                  static_cast<const QWidget*>(&dialog->weights()),
                                  static_cast<const QWidget*>(&dialog->gradients()),
                                  static_cast<const QWidget*>(&dialog->exportButton())}) {
        EXPECT_TRUE(widget->objectName().startsWith(QLatin1String("export.torch")));
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
    }
}

} // namespace
} // namespace flopsmith::ui
