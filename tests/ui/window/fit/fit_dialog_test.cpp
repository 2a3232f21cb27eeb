// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fit/fit_dialog.h"

#include "core/ffn/dense.h"
#include "core/lens/cost_summary.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/window/fit/fit_plan.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

namespace flopsmith::ui {
namespace {

constexpr double kFitLimit = 100e6;

class FitDialogTest : public test::WindowTest
{
protected:
    FitDialogTest()
    {
        document().start(Scenario{.model = *presetNamed("gpt2")});
        const ParameterPlace hiddenWidth{0, "ffn.d_ff"};
        tieOf(hiddenWidth, "4*d_model");
        QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
    }

    Document& document() { return window->document(); }

    void tieOf(const ParameterPlace& place, const char* expression)
    {
        const auto parameter = parameterAt(document().scenario(), place);
        FLOPSMITH_CHECK(parameter.has_value());
        EXPECT_TRUE(tieParameter(document(), *parameter, QLatin1String(expression)).ok());
    }

    FitDialog& dialog() { return child<FitDialog>("fit"); }

    void search(const char* limit)
    {
        dialog().limit().setText(QLatin1String(limit));
        dialog().searchButton().click();
        const QString searching = dialog().resultText();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return dialog().resultText() != searching; }, test::kLong));
    }

    double parametersAt(int width)
    {
        Scenario scenario = document().scenario();
        scenario.model.dModel = width;
        get<DenseFfn>(scenario.model.runs[0].block.ffn).dFf = 4 * width;
        return toDouble(metricValue(
            MetricId::params, figures(costTree(scenario), scenario, LensId::exact), scenario));
    }
};

TEST_F(FitDialogTest, TheResultFitsAndTheNextLegalValueDoesNot)
{
    search("100M");
    const int steps = document().undoStack().count();
    ASSERT_TRUE(dialog().applyButton().isEnabled());
    dialog().applyButton().click();

    const Scenario& fitted = document().scenario();
    const int width = fitted.model.dModel;
    EXPECT_EQ(document().undoStack().count(), steps + 1);
    EXPECT_TRUE(validated(fitted).ok());
    EXPECT_EQ(get<DenseFfn>(fitted.model.runs[0].block.ffn).dFf, 4 * width);
    EXPECT_LE(parametersAt(width), kFitLimit);
    EXPECT_GT(parametersAt(width + 12), kFitLimit); // 12 heads
    EXPECT_FALSE(document().rules().isEmpty());

    document().undoStack().undo();
    EXPECT_EQ(document().model().dModel, 768);
}

TEST_F(FitDialogTest, ShowsWhatItTriedAndWhyNot)
{
    search("100M");

    const QTableWidget& points = dialog().points();
    ASSERT_GT(points.rowCount(), 10);
    const int found = points.currentRow();
    ASSERT_GE(found, 0);
    EXPECT_EQ(points.item(found, 2)->text(), QStringLiteral("fits"));
    EXPECT_TRUE(points.item(found + 1, 2)->text().contains(QStringLiteral("is above")));
    EXPECT_TRUE(dialog().resultText().contains(points.item(found, 0)->text()));
}

TEST_F(FitDialogTest, ParametersAreVariedTogetherByRulesOfTheSearchAlone)
{
    dialog().together().setText(QStringLiteral("vocab = 64·d_model"));
    search("100M");
    const QTableWidget& points = dialog().points();
    const int found = points.currentRow();
    ASSERT_GE(found, 0) << dialog().resultText().toStdString();
    EXPECT_TRUE(points.item(found, 3)->text().startsWith(QLatin1String("vocab ")));
    const std::size_t ties = document().rules().ties.size();
    dialog().applyButton().click();

    const Model& fitted = document().model();
    EXPECT_TRUE(validated(document().scenario()).ok());
    EXPECT_EQ(fitted.embedding.vocab, 64 * fitted.dModel);
    EXPECT_EQ(get<DenseFfn>(fitted.runs[0].block.ffn).dFf, 4 * fitted.dModel) << "tied before";
    EXPECT_EQ(document().rules().ties.size(), ties);
}

TEST_F(FitDialogTest, AWrongRuleIsOneSentence)
{
    for (const char* rule : {"heads", "heads = ", "heads = d_model/64, d_ff = ?"}) {
        dialog().together().setText(QLatin1String(rule));
        dialog().searchButton().click();
        EXPECT_TRUE(QTest::qWaitFor([this] { // an unknown name is found by the search
            return !dialog().resultText().contains(QStringLiteral("Searching"));
        })) << rule;
        EXPECT_FALSE(dialog().applyButton().isEnabled()) << rule;
        EXPECT_FALSE(dialog().resultText().isEmpty()) << rule;
    }
    EXPECT_TRUE(typedTies(QStringLiteral(" , ")).value().empty());
    EXPECT_EQ(typedTies(QStringLiteral("d_ff = 4·d_model, heads=d_model/64")).value().size(), 2U);
}

TEST_F(FitDialogTest, AWrongLimitAndAnImpossibleOneAreOneSentence)
{
    dialog().limit().setText(QStringLiteral("many"));
    dialog().searchButton().click();
    EXPECT_TRUE(dialog().resultText().contains(QStringLiteral("no quantity")));
    EXPECT_FALSE(dialog().applyButton().isEnabled());

    search("1");
    EXPECT_TRUE(dialog().resultText().contains(QStringLiteral("no legal value of d_model")));
    EXPECT_FALSE(dialog().applyButton().isEnabled());
}

TEST_F(FitDialogTest, AnotherModelOrQuestionMakesTheResultStale)
{
    search("100M");
    setParameter(
        document(), *parameterAt(document().scenario(), {-1, "d_model"}), std::int64_t{1536});
    EXPECT_FALSE(dialog().applyButton().isEnabled());
    EXPECT_EQ(dialog().points().rowCount(), 0);

    search("100M");
    dialog().side().setCurrentIndex(1);
    EXPECT_FALSE(dialog().applyButton().isEnabled());
}

TEST_F(FitDialogTest, TiedAndLockedParametersAreNotVaried)
{
    const QStringList names = variableNames(document().scenario(), document().rules());
    EXPECT_TRUE(names.contains(QStringLiteral("d_model")));
    EXPECT_FALSE(names.contains(QStringLiteral("d_ff")));
    EXPECT_EQ(dialog().parameter().currentText(), QStringLiteral("d_model"));
    EXPECT_EQ(dialog().parameter().count(), names.size());
}

TEST_F(FitDialogTest, EveryControlHasANameAndIsAccessible)
{
    for (const QWidget* widget : {static_cast<const QWidget*>(&dialog()),
                                  static_cast<const QWidget*>(&dialog().limit()),
                                  static_cast<const QWidget*>(&dialog().points()),
                                  static_cast<const QWidget*>(&dialog().parameter()),
                                  static_cast<const QWidget*>(&dialog().metricBox()),
                                  static_cast<const QWidget*>(&dialog().side()),
                                  static_cast<const QWidget*>(&dialog().searchButton()),
                                  static_cast<const QWidget*>(&dialog().applyButton())}) {
        EXPECT_FALSE(widget->objectName().isEmpty());
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
    }
}

} // namespace
} // namespace flopsmith::ui
