// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/widgets/values/parameter_editor.h"
#include "ui/window/help/keys_sheet.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>

namespace flopsmith::ui {
namespace {

class WhatIsThisTest : public test::WindowTest
{
protected:
    // What the window says that something is; empty if it says nothing.
    QString said()
    {
        const auto* explainer = window->findChild<Explainer*>();
        return explainer != nullptr && explainer->isVisible() ? explainer->shownText() : QString();
    }

    static void ask(QWidget& widget)
    {
        widget.setFocus();
        QTest::keyClick(&widget, Qt::Key_F1, Qt::ShiftModifier);
    }
};

TEST_F(WhatIsThisTest, ShiftF1ExplainsAParameterAndEscapeGoesBack)
{
    auto& box = child<ValueBox>("inspector.d_model.box");

    ask(box);
    EXPECT_TRUE(said().startsWith(QStringLiteral("d_model (d), Model")));
    EXPECT_TRUE(said().contains(QStringLiteral("Attention Is All You Need")));
    EXPECT_FALSE(box.hasFocus());

    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_TRUE(said().isEmpty());
    EXPECT_TRUE(box.hasFocus());
    EXPECT_EQ(window->document().undoStack().count(), 0);
}

TEST_F(WhatIsThisTest, EveryEntryOfThePaletteIsExplained)
{
    for (PaletteButton* button : window->palettePanel().buttons()) {
        ask(*button);
        EXPECT_TRUE(said().startsWith(button->entry().title))
            << qPrintable(button->objectName()) << " " << qPrintable(said());
        EXPECT_TRUE(said().contains(button->entry().help.section(QLatin1Char('\n'), 0, 0)));
    }
}

TEST_F(WhatIsThisTest, EveryParameterOfTheInspectorIsExplained)
{
    int explained = 0;
    for (const QWidget* control : window->inspector().findChildren<QWidget*>()) {
        const QString name = control->objectName();
        if (name.startsWith(QLatin1String("inspector."))
            && (name.endsWith(QLatin1String(".box")) || name.endsWith(QLatin1String(".combo"))
                || name.endsWith(QLatin1String(".check")))) {
            EXPECT_FALSE(control->whatsThis().isEmpty()) << qPrintable(name);
            ++explained;
        }
    }
    EXPECT_GT(explained, 20);
}

TEST_F(WhatIsThisTest, TheSelectedRowOfTheStackIsExplained)
{
    for (const char* preset : {"gpt2-half-swapped", "t5-small", "bert-base"}) {
        replaceModel(window->document(), *presetNamed(preset));
        window->settle();
        for (int row = 0; row < static_cast<int>(window->stack().picture().rows.size()); ++row) {
            window->stack().chooseRow(row);
            ask(window->stack());
            EXPECT_GT(said().size(), 80) << preset << " " << row;
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            EXPECT_TRUE(window->stack().hasFocus());
        }
    }
}

TEST_F(WhatIsThisTest, TheNumbersOfTheToolBarAreExplained)
{
    for (const char* name : {"bar.batch", "bar.seq"}) {
        ask(child<ValueBox>(name));
        EXPECT_GT(said().size(), 80) << name;
    }
}

TEST_F(WhatIsThisTest, StaysInTheWindowAndShowsAllOfALongText)
{
    for (QWidget* control : window->inspector().findChildren<QWidget*>()) {
        if (control->isVisible() && !control->whatsThis().isEmpty()) {
            ASSERT_TRUE(Explainer::openFor(*control));
            const auto& explainer = Explainer::of(*window);
            EXPECT_TRUE(window->rect().contains(explainer.geometry()))
                << qPrintable(control->objectName());
        }
    }
}

TEST_F(WhatIsThisTest, AContextMenuAsksToo)
{
    auto& box = child<ValueBox>("inspector.d_model.box");
    Q_EMIT box.customContextMenuRequested(QPoint(2, 2));
    auto* menu = window->findChild<QMenu*>(QStringLiteral("explain.menu"));
    ASSERT_NE(menu, nullptr);

    menu->actions().back()->trigger();
    menu->close();

    EXPECT_TRUE(said().startsWith(QStringLiteral("d_model")));
}

TEST_F(WhatIsThisTest, ACommandAsksByName)
{
    replaceModel(window->document(), *presetNamed("gpt2"));
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    auto& list = child<TypedList>("commands");
    list.box().setText(QStringLiteral("what is d_ff"));
    ASSERT_FALSE(list.rows().empty());
    EXPECT_EQ(list.rows().front().entry.title, QStringLiteral("What is d_ff?"));

    QTest::keyClick(&list.box(), Qt::Key_Return);

    EXPECT_TRUE(said().startsWith(QStringLiteral("d_ff (f)")));
}

TEST_F(WhatIsThisTest, WhereNothingIsExplainedTheWindowSaysWhereToAsk)
{
    child<QWidget>("bar.measure").setFocus();
    window->messages().clear();

    child<QAction>("help.whatIsThis").trigger();

    EXPECT_TRUE(said().isEmpty());
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("palette")));
}

TEST_F(WhatIsThisTest, AQuestionMarkOpensTheSheetOfKeysButCanBeTyped)
{
    auto& box = child<ValueBox>("inspector.d_model.box");
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_EQ(window->findChild<KeysSheet*>(), nullptr);

    window->stack().setFocus();
    QTest::keyClick(&window->stack(), Qt::Key_Question);
    EXPECT_NE(window->findChild<KeysSheet*>(), nullptr);
}

} // namespace
} // namespace flopsmith::ui
