// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/derivation_view.h"

#include "core/ffn/gated.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "ui/formulas/formula_page.h"
#include "ui/formulas/live_sheet.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QPushButton>
#include <QTest>

namespace flopsmith::ui {
namespace {

class DerivationViewTest : public testing::Test
{
protected:
    DerivationViewTest()
        : document({.model = *presetNamed("gpt2")})
        , page(document)
    {
        applyTheme(*qApp, lightTheme());
        document.setLens(LensId::matmul);
        page.resize(1000, 700);
    }

    void SetUp() override
    {
        page.show();
        child<QPushButton>("formulas.steps").click();
        ASSERT_TRUE(page.isDeriving());
        ASSERT_TRUE(QTest::qWaitFor([this] { return view().count() > 0; }));
    }

    DerivationView& view() { return page.derivation(); }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = page.findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    LiveSheet& sheet() { return child<LiveSheet>("formulas.derivation.sheet"); }

    bool tells(const char* words) { return sheet().toPlainText().contains(QLatin1String(words)); }

    Document document;
    FormulaPage page;
};

TEST_F(DerivationViewTest, OpensStepsOneByOne)
{
    EXPECT_EQ(view().count(), 7);
    EXPECT_EQ(view().shown(), 1);
    EXPECT_TRUE(tells("1. Projections"));
    EXPECT_FALSE(tells("2. Scores"));
    EXPECT_FALSE(child<QPushButton>("formulas.derivation.back").isEnabled());

    child<QPushButton>("formulas.derivation.next").click();
    EXPECT_TRUE(tells("2. Scores and values"));
    EXPECT_FALSE(tells("3. FFN"));
    child<QPushButton>("formulas.derivation.back").click();
    EXPECT_FALSE(tells("2. Scores"));
    child<QPushButton>("formulas.derivation.all").click();
    EXPECT_TRUE(tells("7. The whole model"));
    EXPECT_TRUE(tells("(f = 4d)"));
    EXPECT_FALSE(child<QPushButton>("formulas.derivation.next").isEnabled());
    EXPECT_FALSE(view().advance(+1));
}

TEST_F(DerivationViewTest, RightAndLeftOpenAndCloseSteps)
{
    for (int step = 2; step <= view().count(); ++step) {
        QTest::keyClick(&sheet(), Qt::Key_Right);
        EXPECT_EQ(view().shown(), step);
    }
    QTest::keyClick(&sheet(), Qt::Key_Right);
    EXPECT_EQ(view().shown(), view().count());
    QTest::keyClick(&child<QPushButton>("formulas.derivation.back"), Qt::Key_Left);
    EXPECT_EQ(view().shown(), view().count() - 1);
}

TEST_F(DerivationViewTest, FollowsTheDesignAndKeepsItsPlace)
{
    view().advance(+2);

    document.apply({}, [](DocumentState& state) {
        state.scenario.model.runs.front().block.ffn = GatedFfn{.dFf = 2048};
    });

    ASSERT_TRUE(QTest::qWaitFor([this] {
        return view().count() > 2 && view().derivation().steps[2].formula.text == "6*d*f*B*S";
    }));
    EXPECT_EQ(view().shown(), 3);
    EXPECT_TRUE(tells("three matrices"));
    EXPECT_EQ(view().derivation().steps.back().formula.value, *document.costSummary().flops);
}

TEST_F(DerivationViewTest, ItsLettersMoveToo)
{
    auto& letter = child<SymbolHandle>("formulas.derivation.sheet.symbol.S");
    const std::int64_t before = letter.value();

    QTest::keyClick(&letter, Qt::Key_Right);

    EXPECT_GT(letter.value(), before);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(DerivationViewTest, GivesTheFormulaBack)
{
    child<QPushButton>("formulas.steps").click();

    EXPECT_FALSE(page.isDeriving());
    EXPECT_TRUE(child<LiveSheet>("formulas.sheet").isVisible());
}

} // namespace
} // namespace flopsmith::ui
