// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/inspector/inspector.h"

#include <QLabel>
#include <QLineEdit>

namespace flopsmith::ui {
namespace {

class MuteKeysTest : public test::WindowTest
{
protected:
    const Block& selectedBlock()
    {
        const Document& document = window->document();
        return document.model().runs.at(static_cast<std::size_t>(document.selection().run)).block;
    }
};

TEST_F(MuteKeysTest, HMutesTheFfnAndShiftHTheMixer)
{
    window->stack().setFocus();

    QTest::keyClick(&window->stack(), Qt::Key_H);
    EXPECT_TRUE(selectedBlock().ffnMuted);
    EXPECT_FALSE(selectedBlock().mixerMuted);

    QTest::keyClick(&window->stack(), Qt::Key_H, Qt::ShiftModifier);
    EXPECT_TRUE(selectedBlock().mixerMuted);

    QTest::keyClick(&window->stack(), Qt::Key_H);
    EXPECT_FALSE(selectedBlock().ffnMuted);
    EXPECT_EQ(window->document().undoStack().count(), 3);
}

TEST_F(MuteKeysTest, AnHThatIsTypedElsewhereMutesNothing)
{
    const Scenario before = window->document().scenario();
    QWidget* box = nullptr;
    for (auto* edit : window->findChildren<QLineEdit*>()) {
        if (box == nullptr && edit->isVisible() && edit->isEnabled()) {
            box = edit;
        }
    }
    ASSERT_NE(box, nullptr);
    box->setFocus();

    QTest::keyClick(box, Qt::Key_H);

    EXPECT_EQ(window->document().scenario(), before);
}

TEST_F(MuteKeysTest, TheInspectorKeepsItsParametersAndSaysWhatItCosts)
{
    const auto before = window->findChildren<QLineEdit*>().size();
    window->stack().setFocus();

    QTest::keyClick(&window->stack(), Qt::Key_H);

    EXPECT_EQ(window->findChildren<QLineEdit*>().size(), before);
    EXPECT_TRUE(child<QLabel>("inspector.notice.text").text().contains(QStringLiteral("muted")));
}

} // namespace
} // namespace flopsmith::ui
