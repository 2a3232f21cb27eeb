// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/window/commands/action_text.h"
#include "ui/window/settings/window_settings.h"

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QMenu>

#include <algorithm>

namespace flopsmith::ui {
namespace {

class CommandsTest : public test::WindowTest
{
protected:
    TypedList& list() { return child<TypedList>("commands"); }

    void openCommands()
    {
        window->stack().setFocus();
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        EXPECT_TRUE(list().box().hasFocus());
    }

    void type(const QString& query) { list().box().setText(query); }

    void run(const QString& query)
    {
        openCommands();
        type(query);
        QTest::keyClick(&list().box(), Qt::Key_Return);
    }

    QString firstTitle() { return list().rows().empty() ? QString() : titleOf(0); }
    QString titleOf(std::size_t row) { return list().rows().at(row).entry.title; }
    Document& document() { return window->document(); }
};

bool isCommand(const QAction& action)
{
    return !plainText(action.text()).isEmpty() && action.isVisible() && !action.isSeparator()
        && action.menu() == nullptr && !action.property("heading").toBool()
        && !action.property("ofWidget").toBool();
}

TEST_F(CommandsTest, EveryActionIsFoundByItsOwnTextAndRuns)
{
    openCommands();
    const QList<QAction*> actions = window->findChildren<QAction*>();
    int triggered = 0;
    for (QAction* action : actions) {
        QObject::disconnect(action, &QAction::triggered, nullptr, nullptr); // opens no dialog
        QObject::disconnect(action, &QAction::toggled, nullptr, nullptr); // and measures nothing
    }
    for (QAction* action : actions) {
        if (!isCommand(*action) || !action->isEnabled()) {
            continue;
        }
        const QString name = plainText(action->text());
        bool ran = false;
        QObject::connect(action, &QAction::triggered, action, [&ran] { ran = true; });
        type(name);
        for (const TypedRow& row : list().rows()) {
            if (row.entry.title.contains(name) && row.entry.refusal.isEmpty()) {
                row.entry.run();
            }
        }
        QObject::disconnect(action, &QAction::triggered, nullptr, nullptr);
        EXPECT_TRUE(ran) << qPrintable(name) << " " << qPrintable(action->objectName());
        triggered += ran ? 1 : 0;
    }
    EXPECT_GT(triggered, 80);
}

TEST_F(CommandsTest, ManyBlocksAreEditedByASentence)
{
    document().start(findPreset("gpt2")->scenario());
    const Scenario before = document().scenario();
    for (const char* sentence : {"every 4th block: mixture of experts",
                                 "every fourth moe",
                                 "every 4 spectral",
                                 "every 2nd ultra",
                                 "last 2 ultraefficientsparse",
                                 "repeat 3"}) {
        run(QLatin1String(sentence));
        EXPECT_FALSE(document().scenario() == before) << sentence;
        EXPECT_EQ(document().undoStack().index(), 1) << sentence;
        document().undoStack().undo();
        EXPECT_EQ(document().scenario(), before);
    }
    openCommands();
    type(QStringLiteral("every 40th moe"));
    EXPECT_EQ(list().note(), QStringLiteral("There are only 12 blocks."));
    QTest::keyClick(&list().box(), Qt::Key_Return);
    EXPECT_EQ(document().scenario(), before);
}

TEST_F(CommandsTest, WhatFitsTheSelectionComesFirst)
{
    openCommands();
    type(QStringLiteral("moe"));
    EXPECT_EQ(firstTitle(), QStringLiteral("Mixture of experts"));
    EXPECT_TRUE(list().rows().front().entry.detail.contains(QLatin1String("FFN")))
        << "not an arm of the lab";

    for (const auto& [query, title] :
         {std::pair("pattern", "Every n-th block"), {"every n-th", "Every n-th block"}}) {
        type(QLatin1String(query));
        const auto& rows = list().rows();
        EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [title = title](const TypedRow& row) {
            return row.entry.title == QLatin1String(title) && row.entry.refusal.isEmpty();
        })) << query;
    }
    type(QStringLiteral("every fourth"));
    EXPECT_TRUE(firstTitle().startsWith(QLatin1String("Every 4th block: ")))
        << qPrintable(firstTitle());
}

TEST_F(CommandsTest, ADisabledActionSaysWhyAndDoesNotRun)
{
    openCommands();
    for (const QAction* action : window->findChildren<QAction*>()) {
        if (!isCommand(*action) || action->isEnabled()) {
            continue;
        }
        const QString name = plainText(action->text());
        type(name);
        const auto& rows = list().rows();
        EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&name](const TypedRow& row) {
            return row.entry.title.contains(name) && !row.entry.refusal.isEmpty();
        })) << qPrintable(name);
    }
    type(QStringLiteral("undo"));
    ASSERT_EQ(firstTitle(), QStringLiteral("Undo"));

    QTest::keyClick(&list().box(), Qt::Key_Return);

    EXPECT_TRUE(list().isVisible());
    EXPECT_EQ(list().note(), QStringLiteral("There is nothing to undo."));
}

TEST_F(CommandsTest, ThePrecisionIsFoundByEveryNameOfIt)
{
    struct Asked
    {
        const char* query;
        Precision precision;
    };
    for (const Asked& asked : {Asked{"bf16", Precision::of(16)},
                               {"fp32", Precision::of(32)},
                               {"precision 16", Precision::of(16)},
                               {"int8", Precision::of(8)}}) {
        run(QLatin1String(asked.query));
        EXPECT_EQ(document().scenario().workload.precision, asked.precision) << asked.query;
        EXPECT_EQ(child<ChoiceChip>("bar.precision").value(),
                  QString::fromStdString(precisionText(asked.precision)));
    }
    run(QStringLiteral("W4A16"));
    EXPECT_EQ(document().scenario().workload.precision.weightBits, 4);
    EXPECT_EQ(child<ChoiceChip>("bar.precision").value(), QStringLiteral("W4A16"));
}

TEST_F(CommandsTest, WordsMayComeInAnyOrder)
{
    run(QStringLiteral("theme dark"));

    EXPECT_EQ(storedThemeChoice(), ThemeChoice::dark);
    EXPECT_FALSE(list().isVisible());
    EXPECT_TRUE(window->stack().hasFocus());
}

TEST_F(CommandsTest, EveryPresetLoadsByItsTitle)
{
    for (const Preset& preset : presets()) {
        run(QStringLiteral("load ") + fromUtf8(preset.title));

        EXPECT_EQ(document().model(), preset.make()) << preset.title;
    }
}

TEST_F(CommandsTest, APageOfChartsIsShown)
{
    for (int page = window->pages().count() - 1; page >= 0; --page) {
        const QString name = QStringLiteral("charts.show%1").arg(page + 1);
        const QString title = plainText(child<QAction>(qPrintable(name)).text());
        run(QStringLiteral("show ") + title);

        EXPECT_EQ(window->pages().current(), page) << qPrintable(title);
    }
}

TEST_F(CommandsTest, ALensIsChosen)
{
    run(QStringLiteral("count as ") + fromUtf8(lens(LensId::matmul).title));

    EXPECT_EQ(document().lens(), LensId::matmul);
}

TEST_F(CommandsTest, AParameterIsSetAsOneStep)
{
    openCommands();
    type(QStringLiteral("d_model 1536"));
    ASSERT_EQ(firstTitle(), QStringLiteral("Set d_model to 1536"));

    QTest::keyClick(&list().box(), Qt::Key_Return);

    EXPECT_EQ(document().model().dModel, 1536);
    EXPECT_EQ(document().undoStack().count(), 1);
}

TEST_F(CommandsTest, AParameterIsCorrectedAsIfItWasTyped)
{
    Document other(document().scenario());
    other.select(document().selection());
    enterParameter(
        other, matchingParameters(other.scenario(), "d_model").front(), std::int64_t{1001});
    ASSERT_FALSE(other.notice().isEmpty());

    run(QStringLiteral("1001 d_model"));

    EXPECT_EQ(document().scenario(), other.scenario());
    EXPECT_EQ(document().notice().text, other.notice().text);
}

TEST_F(CommandsTest, ANameWithoutAValueSaysWhatCanBeTyped)
{
    openCommands();
    type(QStringLiteral("set d_model"));

    EXPECT_EQ(firstTitle(), QStringLiteral("Set d_model"));
    EXPECT_TRUE(list().note().contains(QLatin1String("768")));
    QTest::keyClick(&list().box(), Qt::Key_Return);
    EXPECT_EQ(document().undoStack().count(), 0);
}

TEST_F(CommandsTest, WhatWasChosenLastComesFirst)
{
    run(QStringLiteral("light theme"));
    run(QStringLiteral("dark theme"));
    open(); // in the next session, too

    openCommands();

    EXPECT_EQ(titleOf(0), QStringLiteral("Dark theme"));
    EXPECT_EQ(titleOf(1), QStringLiteral("Light theme"));
}

TEST_F(CommandsTest, AnUnknownNameDoesNothing)
{
    const Scenario before = document().scenario();
    openCommands();
    type(QStringLiteral("zzqx"));

    EXPECT_EQ(list().note(), QStringLiteral("Nothing is called “zzqx”."));
    QTest::keyClick(&list().box(), Qt::Key_Return);
    EXPECT_TRUE(list().isVisible());
    QTest::keyClick(&list().box(), Qt::Key_Escape);

    EXPECT_FALSE(list().isVisible());
    EXPECT_TRUE(window->stack().hasFocus());
    EXPECT_EQ(document().scenario(), before);
}

TEST_F(CommandsTest, ArrowAndPageKeysMoveWithinTheList)
{
    openCommands();
    const int last = static_cast<int>(list().rows().size()) - 1;

    QTest::keyClick(&list().box(), Qt::Key_Up);
    EXPECT_EQ(list().current(), 0);
    QTest::keyClick(&list().box(), Qt::Key_Down);
    EXPECT_EQ(list().current(), 1);
    QTest::keyClick(&list().box(), Qt::Key_PageDown);
    EXPECT_GT(list().current(), 2);
    for (int i = 0; i <= last; ++i) {
        QTest::keyClick(&list().box(), Qt::Key_PageDown);
    }
    EXPECT_EQ(list().current(), last);
}

TEST_F(CommandsTest, AClickRunsARow)
{
    openCommands();
    type(QStringLiteral("dark theme"));
    auto& view = child<QListView>("commands.list");
    QCoreApplication::processEvents();

    QTest::mouseClick(
        view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 0)).center());

    EXPECT_EQ(storedThemeChoice(), ThemeChoice::dark);
    EXPECT_FALSE(list().isVisible());
    EXPECT_TRUE(window->stack().hasFocus());
}

TEST_F(CommandsTest, TheListOfTheStackOpensInsideTheWindowForEveryRun)
{
    const int runs = static_cast<int>(document().model().runs.size());
    for (int run = 0; run < runs; ++run) {
        document().select(Selection::ofRun(run));
        window->stack().setFocus();
        QTest::keyClick(&window->stack(), Qt::Key_A);

        auto& chooser = child<TypedList>("stack.chooser");
        EXPECT_TRUE(chooser.box().hasFocus());
        EXPECT_TRUE(window->rect().contains(chooser.geometry())) << run;
        QTest::keyClick(&chooser.box(), Qt::Key_Escape);
        EXPECT_TRUE(window->stack().hasFocus());
    }
}

TEST_F(CommandsTest, TheListFitsIntoASmallWindow)
{
    openCommands();
    QCoreApplication::processEvents();

    EXPECT_TRUE(window->rect().contains(list().geometry()));
    for (const QWidget* part :
         list().findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        EXPECT_TRUE(list().rect().contains(part->geometry())) << qPrintable(part->objectName());
    }
}

} // namespace
} // namespace flopsmith::ui
