// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/tie_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace flopsmith::ui {
namespace {

class InspectorRulesTest : public testing::Test
{
protected:
    InspectorRulesTest()
    {
        inspector.resize(520, 700);
        inspector.show();
        inspector.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&inspector));
    }

    template <class Widget>
    Widget& control(const char* name)
    {
        auto* found =
            inspector.findChild<Widget*>(QStringLiteral("inspector.") + QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    // Of the row whose box has the focus, by the keyboard.
    bool choose(const char* box, const char* action)
    {
        control<QWidget>(box).setFocus();
        QTest::keyClick(&control<QWidget>(box), Qt::Key_F10, Qt::ShiftModifier);
        const QPointer<QMenu> menu =
            inspector.findChild<QMenu*>(QStringLiteral("inspector.rowMenu"));
        if (menu == nullptr) {
            return false;
        }
        auto* chosen =
            menu->findChild<QAction*>(QStringLiteral("inspector.rowMenu.") + QLatin1String(action));
        if (chosen != nullptr) {
            chosen->trigger();
        }
        menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return chosen != nullptr;
    }

    void tie(const QString& expression)
    {
        ASSERT_TRUE(choose("block.ffn.d_ff.box", "tie"));
        auto& line = control<QLineEdit>("tie.text");
        line.setText(expression);
        QTest::keyClick(&line, Qt::Key_Return);
    }

    std::int64_t dFf() { return get<DenseFfn>(document.model().runs[0].block.ffn).dFf; }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    Inspector inspector{document};
};

TEST_F(InspectorRulesTest, ATieIsTypedByKeyboardAloneAndShownInItsRow)
{
    tie(QStringLiteral("2*d_model"));

    EXPECT_EQ(dFf(), 2 * 768);
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(control<QWidget>("tie").isHidden());
    EXPECT_EQ(control<QLabel>("block.ffn.d_ff.hint").text(), QStringLiteral("= 2·d_model"));
    EXPECT_FALSE(control<QLabel>("block.ffn.d_ff.symbol").pixmap().isNull());
    const auto& slider = control<QWidget>("block.ffn.d_ff.slider");
    EXPECT_FALSE(slider.isEnabled());
    EXPECT_TRUE(slider.toolTip().contains(QStringLiteral("Tied to 2·d_model")));

    document.undoStack().undo();
    EXPECT_TRUE(slider.isEnabled());
    EXPECT_FALSE(control<QLabel>("block.ffn.d_ff.symbol").text().isEmpty());
}

TEST_F(InspectorRulesTest, TheLineSaysAtOnceWhatATieDoesOrWhyItCannotBe)
{
    ASSERT_TRUE(choose("block.ffn.d_ff.box", "tie"));
    auto& line = control<QLineEdit>("tie.text");
    auto& take = control<QPushButton>("tie.take");

    line.setText(QStringLiteral("2*d_model"));
    EXPECT_EQ(control<QLabel>("tie.said").text(), QStringLiteral("d_ff = 2·d_model: 3072 → 1536"));
    EXPECT_TRUE(take.isEnabled());
    line.setText(QStringLiteral("2*nonsense"));
    EXPECT_TRUE(control<QLabel>("tie.said").text().contains(QStringLiteral("nonsense")));
    EXPECT_FALSE(take.isEnabled());
    QTest::keyClick(&line, Qt::Key_Return);
    EXPECT_FALSE(control<QWidget>("tie").isHidden());

    QTest::keyClick(&line, Qt::Key_Escape);
    EXPECT_TRUE(control<QWidget>("tie").isHidden());
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(InspectorRulesTest, UntyingGivesTheSliderBackAndKeepsTheValue)
{
    tie(QStringLiteral("2*d_model"));
    ASSERT_TRUE(choose("block.ffn.d_ff.box", "untie"));

    EXPECT_TRUE(control<QWidget>("block.ffn.d_ff.slider").isEnabled());
    EXPECT_EQ(dFf(), 2 * 768);
}

TEST_F(InspectorRulesTest, ALockedRowHasAPadlockAndRefusesAnEdit)
{
    ASSERT_TRUE(choose("block.ffn.d_ff.box", "lock"));
    EXPECT_FALSE(control<QWidget>("block.ffn.d_ff.slider").isEnabled());
    EXPECT_FALSE(control<QLabel>("block.ffn.d_ff.symbol").pixmap().isNull());

    QSignalSpy refused(&document, &Document::changeRefused);
    auto& box = control<ValueBox>("block.ffn.d_ff.box");
    box.enter(1024);
    EXPECT_EQ(refused.count(), 1);
    EXPECT_EQ(dFf(), 3072);
    EXPECT_EQ(box.value(), FieldValue(std::int64_t{3072}));

    ASSERT_TRUE(choose("block.ffn.d_ff.box", "unlock"));
    box.enter(1024);
    EXPECT_EQ(dFf(), 1024);
}

TEST_F(InspectorRulesTest, AFlagCanBeLockedToo)
{
    ASSERT_TRUE(choose("block.mixer.causal.check", "lock"));
    auto& causal = control<QCheckBox>("block.mixer.causal.check");
    EXPECT_FALSE(causal.icon().isNull());
    causal.toggle();
    EXPECT_TRUE(causal.isChecked());
    EXPECT_FALSE(choose("block.mixer.causal.check", "tie"));
}

TEST_F(InspectorRulesTest, TheLineClosesWithTheSelectionOfItsParameter)
{
    ASSERT_TRUE(choose("block.ffn.d_ff.box", "tie"));
    document.select(Selection::of(Selection::Part::head));

    EXPECT_TRUE(control<QWidget>("tie").isHidden());
}

} // namespace
} // namespace flopsmith::ui
