// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/no_ffn.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/document/edits/model_edit.h"

#include <QToolButton>

namespace flopsmith::ui {
namespace {

class ScopeTest : public test::WindowTest
{
protected:
    ScopeTest()
    {
        replaceModel(window->document(), *findPreset("gpt2-half-swapped"));
        window->document().select(Selection::ofRun(1));
        window->settle();
    }

    void choose(const char* scope)
    {
        child<QToolButton>(scope).click();
        window->settle();
    }

    template <class Kind>
    const Kind& figure(ChartId chart)
    {
        for (ChartPanel* panel : window->pages().panels()) {
            if (panel->chart() == chart) {
                return dynamic_cast<const Kind&>(*panel->view().figure());
            }
        }
        throw std::logic_error("no such panel");
    }
};

TEST_F(ScopeTest, TheCurveOfAnFfnFollowsItsOwnParameter)
{
    window->charts().choices().setAxis(QStringLiteral("k_freq"));
    window->settle();
    const auto isFlat = [this] {
        const auto& points = figure<ScalingFigure>(ChartId::scaling).chart().curves.front().points;
        return points.back().y < 1.01 * points.front().y;
    };
    EXPECT_TRUE(isFlat());

    choose("scope.ffn");
    EXPECT_FALSE(isFlat());
}

TEST_F(ScopeTest, SharesAreOfTheSelectedBlock)
{
    const Count whole = figure<ShareFigure>(ChartId::share).donuts().front().count;
    choose("scope.block");
    const Count swapped = figure<ShareFigure>(ChartId::share).donuts().front().count;
    window->document().select(Selection::ofRun(0));
    window->settle();
    const Count dense = figure<ShareFigure>(ChartId::share).donuts().front().count;

    EXPECT_LT(swapped, dense);
    EXPECT_LT(6 * swapped + 6 * dense, whole);
    EXPECT_TRUE(
        figure<ShareFigure>(ChartId::share).provenance.model.contains(QStringLiteral("block 1")));
}

TEST_F(ScopeTest, ABlockWithoutAnFfnIsNamed)
{
    choose("scope.ffn");
    Model model = window->document().model();
    model.runs[1].block.ffn = NoFfn{};
    replaceModel(window->document(), model);
    window->document().select(Selection::ofRun(1));
    window->settle();

    EXPECT_EQ(figure<Figure>(ChartId::share).emptyText(), QStringLiteral("This block has no FFN."));
}

} // namespace
} // namespace flopsmith::ui
