// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/theme/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/values/value_box.h"
#include "ui/window/bars/status_line.h"

#include <QClipboard>

namespace flopsmith::ui {
namespace {

class BlockKeysTest : public test::WindowTest
{
protected:
    BlockKeysTest()
    {
        QGuiApplication::clipboard()->clear();
        replaceModel(window->document(), *presetNamed("gpt2-half-swapped"));
        window->stack().setFocus();
    }
    ~BlockKeysTest() override { QGuiApplication::clipboard()->clear(); }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }

    const Model& model() { return window->document().model(); }
};

TEST_F(BlockKeysTest, TheStacksKeysCopyCutAndPasteBlocks)
{
    press(Qt::Key_A);
    EXPECT_EQ(window->document().selection().runs().size(), 2U);
    press(Qt::Key_C);
    press(Qt::Key_V);
    EXPECT_EQ(model().runs.size(), 4U);
    EXPECT_EQ(model().runs[2], model().runs[0]);
    EXPECT_EQ(model().runs[3], model().runs[1]);

    press(Qt::Key_X);
    EXPECT_EQ(model().runs.size(), 2U);
    press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(model().runs.size(), 2U);
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("different FFNs")));
}

TEST_F(BlockKeysTest, ABoxKeepsItsKeys)
{
    auto& box = child<ValueBox>("inspector.d_model.box");
    box.setFocus();
    box.selectAll();
    press(Qt::Key_C);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("768"));

    press(Qt::Key_A);
    press(Qt::Key_V);

    EXPECT_EQ(window->document().selection().runs().size(), 1U);
    EXPECT_EQ(model().runs.size(), 2U);
    EXPECT_EQ(box.text(), QStringLiteral("768"));
}

TEST_F(BlockKeysTest, TextThatIsNoDesignIsSaidInTheMessagePlace)
{
    QGuiApplication::clipboard()->setText(QStringLiteral("Dear all"));
    press(Qt::Key_V);

    EXPECT_EQ(model(), *presetNamed("gpt2-half-swapped"));
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("holds no blocks")));
    EXPECT_FALSE(window->messages().sentence().contains(QLatin1Char('{'))) << "words, no code";
}

TEST_F(BlockKeysTest, AConfigJsonIsPastedAsTheDesignThatItIs)
{
    QGuiApplication::clipboard()->setText(
        QStringLiteral("\n{\"model_type\": \"gpt2\", \"n_layer\": 3, \"n_embd\": 96, "
                       "\"n_head\": 3}"));
    press(Qt::Key_V);

    EXPECT_EQ(model().layers(), 3);
    EXPECT_EQ(model().dModel, 96);

    QGuiApplication::clipboard()->setText(QStringLiteral("{\"recipe\": \"soup\"}"));
    press(Qt::Key_V);
    EXPECT_EQ(model().layers(), 3);
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("config.json")));
}

TEST_F(BlockKeysTest, AKeyThatCannotActSaysWhyInTheStatusLine)
{
    struct Refused
    {
        Qt::Key key;
        Qt::KeyboardModifiers modifiers;
        QString says;
    };
    press(Qt::Key_A); // all blocks
    const Model before = model();
    for (const Refused& refused :
         {Refused{Qt::Key_Delete, {}, QStringLiteral("one run of them always stays")},
          Refused{Qt::Key_X, Qt::ControlModifier, QStringLiteral("always stays")},
          Refused{Qt::Key_Z,
                  Qt::ControlModifier | Qt::ShiftModifier,
                  QStringLiteral("nothing to redo")},
          Refused{Qt::Key_A, Qt::ShiftModifier, QStringLiteral("pattern")}}) {
        window->status().say({});
        window->stack().setFocus();
        QTest::keyClick(&window->stack(), refused.key, refused.modifiers);
        EXPECT_TRUE(child<ElidedLabel>("status.sentence").text().contains(refused.says))
            << qPrintable(refused.says) << ": "
            << qPrintable(child<ElidedLabel>("status.sentence").text());
    }
    EXPECT_EQ(model(), before);
}

} // namespace
} // namespace flopsmith::ui
