// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/notice_line.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace flopsmith::ui {
namespace {

class AccessibleTest : public testing::Test
{
protected:
    AccessibleTest()
    {
        applyTheme(*qApp, lightTheme());
        document.select(Selection::ofRun(1));
        inspector.resize(520, 700);
        inspector.show();
        inspector.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&inspector));
    }

    template <class Widget>
    Widget& control(const char* name)
    {
        auto* found =
            inspector.findChild<Widget*>(QLatin1String("inspector.") + QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    static QAccessibleInterface& accessible(QWidget& widget)
    {
        return *QAccessible::queryAccessibleInterface(&widget);
    }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    Inspector inspector{document};
};

TEST_F(AccessibleTest, ASliderSaysTheParametersValue)
{
    auto& slider = control<StopSlider>("d_model.slider");
    QAccessibleInterface& shown = accessible(slider);

    EXPECT_EQ(shown.role(), QAccessible::Slider);
    EXPECT_EQ(shown.text(QAccessible::Name), QStringLiteral("d_model, Model"));
    EXPECT_EQ(shown.text(QAccessible::Value), QStringLiteral("768"));
    EXPECT_EQ(shown.valueInterface()->currentValue().toDouble(), 768.0);

    shown.valueInterface()->setCurrentValue(1536);
    EXPECT_EQ(document.model().dModel, 1536);
    EXPECT_EQ(shown.text(QAccessible::Value), QStringLiteral("1536"));
}

TEST_F(AccessibleTest, ABoxSaysItsValueAndLimits)
{
    auto& box = control<ValueBox>("block.ffn.spectral.k_freq.box");
    QAccessibleInterface& shown = accessible(box);

    EXPECT_EQ(shown.role(), QAccessible::SpinBox);
    EXPECT_EQ(shown.text(QAccessible::Value), QStringLiteral("64"));
    EXPECT_EQ(shown.valueInterface()->currentValue().toDouble(), 64.0);
    EXPECT_EQ(shown.valueInterface()->maximumValue().toDouble(), 385.0);
}

TEST_F(AccessibleTest, EveryComboIsNamedByItsLabel)
{
    int seen = 0;
    for (auto* combo : inspector.findChildren<QComboBox*>()) {
        QAccessibleInterface& shown = accessible(*combo);
        EXPECT_EQ(shown.role(), QAccessible::ComboBox);
        EXPECT_EQ(shown.text(QAccessible::Name), combo->accessibleName());
        EXPECT_NE(shown.text(QAccessible::Name), combo->currentText());
        EXPECT_EQ(shown.text(QAccessible::Value), combo->currentText());
        EXPECT_FALSE(combo->view()->accessibleName().isEmpty());
        ++seen;
    }
    EXPECT_GT(seen, 3);
    EXPECT_EQ(
        accessible(control<QComboBox>("block.ffn.gate.combo")).text(QAccessible::Name).left(4),
        QStringLiteral("gate"));
}

TEST_F(AccessibleTest, AZeroThatStandsForSomethingSaysSo)
{
    auto& box = control<ValueBox>("block.mixer.head_dim.box");
    EXPECT_EQ(box.text(), QStringLiteral("auto"));
    EXPECT_EQ(control<QLabel>("block.mixer.head_dim.hint").text(), QStringLiteral("(64)"));
    EXPECT_EQ(control<ValueBox>("block.mixer.soft_cap.box").text(), QStringLiteral("off"));

    box.setFocus();
    EXPECT_EQ(box.text(), QStringLiteral("0"));
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("32"));
    QTest::keyClick(&box, Qt::Key_Return);
    EXPECT_EQ(get<Attention>(document.model().runs[1].block.mixer).headDim, 32);
}

TEST_F(AccessibleTest, ACorrectedValueSaysWhyAndOffersTheAlternative)
{
    auto& notice = control<NoticeLine>("notice");
    EXPECT_TRUE(notice.isHidden());
    auto& box = control<ValueBox>("d_model.box");
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("1024"));
    QTest::keyClick(&box, Qt::Key_Return);

    EXPECT_EQ(document.model().dModel, 1020);
    EXPECT_EQ(box.text(), QStringLiteral("1020"));
    EXPECT_EQ(notice.text(), QStringLiteral("1024 is not a multiple of 12 heads: 1020"));
    EXPECT_FALSE(notice.isHidden());
    EXPECT_EQ(notice.alternative().text(), QStringLiteral("or heads 16"));

    notice.alternative().click();
    EXPECT_EQ(document.model().dModel, 1024);
    EXPECT_TRUE(notice.isHidden());
}

TEST_F(AccessibleTest, ATooLargeNumberIsCorrectedToo)
{
    auto& box = control<ValueBox>("d_model.box");
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("999999999999"));
    QTest::keyClick(&box, Qt::Key_Return);

    EXPECT_TRUE(control<NoticeLine>("notice").text().startsWith(
        QLatin1String("999999999999 is more than")));
}

} // namespace
} // namespace flopsmith::ui
