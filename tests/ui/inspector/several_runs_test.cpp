// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "ui/document/scenario_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTest>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

// Dense, dense, ultra-efficient: 3, 3 and 6 blocks. The first has 16 heads, the others have 12.
Scenario unequalHeads()
{
    Scenario scenario{.model = *presetNamed("gpt2-half-swapped")};
    splitRun(scenario, 0);
    auto& first = get<Attention>(scenario.model.runs[0].block.mixer);
    first.heads = 16;
    first.kvHeads = 16;
    first.causal = false;
    return scenario;
}

class SeveralRunsInspectorTest : public testing::Test
{
protected:
    SeveralRunsInspectorTest()
    {
        applyTheme(*qApp, lightTheme());
        document.select(Selection::ofRuns({0, 1}, 1));
        inspector.resize(520, 700);
        inspector.show();
    }

    template <class Widget>
    Widget* find(const char* name)
    {
        return inspector.findChild<Widget*>(QLatin1String("inspector.") + QLatin1String(name));
    }

    template <class Widget>
    Widget& control(const char* name)
    {
        FLOPSMITH_CHECK(find<Widget>(name) != nullptr);
        return *find<Widget>(name);
    }

    ValueBox& heads() { return control<ValueBox>("block.mixer.heads.box"); }

    const Attention& attention(std::size_t run)
    {
        return get<Attention>(document.model().runs.at(run).block.mixer);
    }

    void enter(ValueBox& box, const char* text)
    {
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, QLatin1String(text));
        QTest::keyClick(&box, Qt::Key_Return);
    }

    Document document{unequalHeads()};
    Inspector inspector{document};
};

TEST_F(SeveralRunsInspectorTest, TheHeadingCountsRunsAndBlocks)
{
    EXPECT_EQ(inspector.title(), QStringLiteral("2 runs · 6 blocks"));
    EXPECT_TRUE(inspector.scopeButton().isHidden());

    document.select(Selection::ofRuns({0, 1, 2}, 1));
    EXPECT_EQ(inspector.title(), QStringLiteral("3 runs · 12 blocks"));
    EXPECT_TRUE(control<QWidget>("footer").isHidden()); // there is no one FFN

    document.select(Selection::ofRun(1));
    EXPECT_FALSE(inspector.scopeButton().isHidden());
    EXPECT_FALSE(control<QWidget>("footer").isHidden());
}

TEST_F(SeveralRunsInspectorTest, WhatOnlySomeHaveIsNotShown)
{
    EXPECT_NE(find<QSlider>("block.ffn.d_ff.slider"), nullptr);

    document.select(Selection::ofRuns({0, 2}, 0));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);

    EXPECT_EQ(find<QSlider>("block.ffn.d_ff.slider"), nullptr);
    EXPECT_EQ(find<QSlider>("block.ffn.spectral.k_freq.slider"), nullptr);
    EXPECT_NE(find<QSlider>("block.mixer.heads.slider"), nullptr);
    EXPECT_NE(find<QSlider>("d_model.slider"), nullptr);
}

TEST_F(SeveralRunsInspectorTest, ValuesThatDifferAreADash)
{
    EXPECT_EQ(heads().accessibleValue(), QStringLiteral("mixed"));
    EXPECT_EQ(heads().text(), QStringLiteral("—"));
    EXPECT_EQ(control<QCheckBox>("block.mixer.causal.check").checkState(), Qt::PartiallyChecked);
    EXPECT_EQ(control<ValueBox>("block.ffn.d_ff.box").text(), QStringLiteral("3072"));

    document.select(Selection::ofRun(0));
    EXPECT_EQ(heads().text(), QStringLiteral("16"));
    EXPECT_EQ(control<QCheckBox>("block.mixer.causal.check").checkState(), Qt::Unchecked);
}

TEST_F(SeveralRunsInspectorTest, ATypedValueIsSetOnAllInOneStep)
{
    enter(heads(), "24");

    EXPECT_EQ(attention(0).heads, 24);
    EXPECT_EQ(attention(1).heads, 24);
    EXPECT_EQ(attention(2).heads, 12);
    EXPECT_EQ(heads().text(), QStringLiteral("24"));
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(heads().accessibleValue(), QStringLiteral("mixed"));
}

TEST_F(SeveralRunsInspectorTest, TheCurrentRunsOwnValueCanBeTypedForAll)
{
    enter(heads(), "12");

    EXPECT_EQ(attention(0).heads, 12);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(SeveralRunsInspectorTest, LeavingADashChangesNothing)
{
    heads().setFocus();
    QTest::keyClick(&heads(), Qt::Key_Return);
    heads().clearFocus();

    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_EQ(document.notice(), Notice{});
}

TEST_F(SeveralRunsInspectorTest, ASliderDragsAllInOneStep)
{
    auto& slider = control<StopSlider>("block.mixer.heads.slider");
    const int rebuilds = inspector.rebuilds();

    slider.setSliderDown(true);
    for (const int index : {0, 3, 1}) {
        slider.setSliderPosition(index);
    }
    slider.setSliderDown(false);

    EXPECT_EQ(attention(0).heads, 2); // of the divisors 1, 2, 3, …
    EXPECT_EQ(attention(1).heads, 2);
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_EQ(inspector.rebuilds(), rebuilds);
}

TEST_F(SeveralRunsInspectorTest, LengthsAreDraggedInOneStep)
{
    auto& slider = control<StopSlider>("block.repeat.slider");

    slider.setSliderDown(true);
    for (const int index : {7, 3, 4}) {
        slider.setSliderPosition(index);
    }
    slider.setSliderDown(false);

    for (const std::size_t run : {0U, 1U}) {
        EXPECT_EQ(FieldValue(std::int64_t{document.model().runs[run].repeat}), slider.stops()[4]);
    }
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(SeveralRunsInspectorTest, AMixedFlagIsSetOnAllByTheFirstClick)
{
    auto& causal = control<QCheckBox>("block.mixer.causal.check");
    causal.click();
    EXPECT_TRUE(attention(0).causal);
    EXPECT_TRUE(attention(1).causal);
    EXPECT_EQ(causal.checkState(), Qt::Checked);

    causal.click();
    EXPECT_FALSE(attention(0).causal);
    EXPECT_FALSE(attention(1).causal);
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(SeveralRunsInspectorTest, AMixedChoiceShowsNoneUntilItIsMade)
{
    document.select(Selection::ofRun(0));
    QTest::keyClick(&control<QComboBox>("block.norm_placement.combo"), Qt::Key_Down);
    document.select(Selection::ofRuns({0, 1}, 1));
    auto& placement = control<QComboBox>("block.norm_placement.combo");
    const QString mixed =
        QAccessible::queryAccessibleInterface(&placement)->text(QAccessible::Value);
    EXPECT_EQ(placement.currentIndex(), -1);
    EXPECT_EQ(mixed, QStringLiteral("mixed"));

    QTest::keyClick(&placement, Qt::Key_Down);

    EXPECT_EQ(placement.currentIndex(), 0);
    const auto& runs = document.model().runs;
    EXPECT_EQ(runs[0].block.placement, runs[1].block.placement);
}

} // namespace
} // namespace flopsmith::ui
