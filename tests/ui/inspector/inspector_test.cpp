// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "tests/ui/inspector/qts_own.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/inspector/ffn_comparison.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QSlider>
#include <QTest>
#include <QWheelEvent>

namespace flopsmith::ui {
namespace {

class InspectorTest : public testing::Test
{
protected:
    InspectorTest()
    {
        applyTheme(*qApp, lightTheme()); // its style lets a click into the groove jump
        document.select(Selection::ofRun(1));
        inspector.resize(520, 700);
        inspector.show();
    }

    template <class Widget>
    Widget& control(const QString& name)
    {
        auto* found = inspector.findChild<Widget*>(QStringLiteral("inspector.") + name);
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    QSlider& kFreq()
    {
        return control<QSlider>(QStringLiteral("block.ffn.spectral.k_freq.slider"));
    }
    ValueBox& kFreqBox()
    {
        return control<ValueBox>(QStringLiteral("block.ffn.spectral.k_freq.box"));
    }

    int kept()
    {
        const auto& ffn = get<ComposedFfn>(document.model().runs[1].block.ffn);
        return get<SpectralFfn>(ffn.stages[0].spec).kFreq;
    }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    Inspector inspector{document};
};

TEST_F(InspectorTest, HasAnEditorForEveryShownParameter)
{
    for (const Preset& preset : presets()) {
        replaceModel(document, preset.make());
        for (int run = 0; run < static_cast<int>(document.model().runs.size()); ++run) {
            document.select(Selection::ofRun(run));
            const auto shown = shownParameters(document.scenario(), document.selection());

            EXPECT_EQ(inspector.editors().size(), shown.size()) << preset.id;
        }
    }
}

TEST_F(InspectorTest, ADragIsOneStepAndRebuildsNothing)
{
    const int rebuilds = inspector.rebuilds();
    QSlider* const slider = &kFreq();

    slider->setSliderDown(true);
    for (const int index : {60, 50, 40, 30}) {
        slider->setSliderPosition(index);
    }
    slider->setSliderDown(false);

    EXPECT_EQ(kept(), 31); // stops begin at 1
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_EQ(inspector.rebuilds(), rebuilds);
    EXPECT_EQ(&kFreq(), slider);
}

TEST_F(InspectorTest, AClickIntoTheGrooveJumpsThereInOneStep)
{
    QSlider& slider = kFreq();
    const QPoint far(slider.width() - 12, slider.height() / 2);

    QTest::mousePress(&slider, Qt::LeftButton, {}, far);
    QTest::mouseMove(&slider, far + QPoint(-3, 0));
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, far + QPoint(-3, 0));

    EXPECT_GT(kept(), 300);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(InspectorTest, KeysInQuickSuccessionAreOneStep)
{
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(&kFreq(), Qt::Key_Right);
    }

    EXPECT_EQ(kept(), 69);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(InspectorTest, TheWheelDoesNothingWithoutFocus)
{
    kFreq().clearFocus();
    QWheelEvent wheel(QPointF(20, 8),
                      kFreq().mapToGlobal(QPointF(20, 8)),
                      {},
                      QPoint(0, 120),
                      Qt::NoButton,
                      Qt::NoModifier,
                      Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&kFreq(), &wheel);

    EXPECT_EQ(kept(), 64);
}

TEST_F(InspectorTest, AnyLegalNumberCanBeTyped)
{
    kFreqBox().setFocus();
    kFreqBox().selectAll();
    QTest::keyClicks(&kFreqBox(), QStringLiteral("123"));
    QTest::keyClick(&kFreqBox(), Qt::Key_Return);

    EXPECT_EQ(kept(), 123);
}

TEST_F(InspectorTest, ProductsQuantitiesAndExpressionsCanBeTyped)
{
    for (const auto& [typed, bins] : {std::pair{"3*41", 123},
                                      std::pair{"0.2k", 200},
                                      std::pair{"d_model/4", 192},
                                      std::pair{"12 x 4", 192}}) { // the last is refused
        kFreqBox().setFocus();
        kFreqBox().selectAll();
        QTest::keyClicks(&kFreqBox(), QString::fromLatin1(typed));
        QTest::keyClick(&kFreqBox(), Qt::Key_Return);

        EXPECT_EQ(kept(), bins) << typed;
        EXPECT_EQ(kFreqBox().text(), QString::number(bins)) << typed;
    }
}

TEST_F(InspectorTest, EscTakesBackWhatIsTyped)
{
    const auto before = kept();
    kFreqBox().setFocus();
    kFreqBox().selectAll();
    QTest::keyClicks(&kFreqBox(), QStringLiteral("12"));
    QTest::keyClick(&kFreqBox(), Qt::Key_Escape);
    EXPECT_EQ(kFreqBox().text(), QString::number(before));

    kFreqBox().clearFocus();
    EXPECT_EQ(kept(), before);
}

TEST_F(InspectorTest, AnIllegalNumberBecomesTheNearestLegalOne)
{
    kFreqBox().setFocus();
    kFreqBox().selectAll();
    QTest::keyClicks(&kFreqBox(), QStringLiteral("9999"));
    QTest::keyClick(&kFreqBox(), Qt::Key_Return);

    EXPECT_EQ(kept(), 385);
    EXPECT_EQ(kFreqBox().text(), QStringLiteral("385"));
}

TEST_F(InspectorTest, TheLimitFollowsTheWidth)
{
    auto& hint = control<QLabel>(QStringLiteral("block.ffn.spectral.k_freq.hint"));
    EXPECT_EQ(hint.text(), QStringLiteral("of 385"));

    setParameter(document, modelParameters().front(), std::int64_t{96});

    EXPECT_EQ(hint.text(), QStringLiteral("of 49"));
    EXPECT_EQ(kFreq().maximum(), 48);
    EXPECT_EQ(kFreqBox().text(), QStringLiteral("49"));
}

TEST_F(InspectorTest, FlagsAndChoicesAreSet)
{
    control<QCheckBox>(QStringLiteral("block.mixer.causal.check")).click();
    auto& gate = control<QComboBox>(QStringLiteral("block.ffn.gate.combo"));
    QTest::keyClick(&gate, Qt::Key_Down);

    const Block& block = document.model().runs[1].block;
    EXPECT_FALSE(get<Attention>(block.mixer).causal);
    EXPECT_EQ(get<ComposedFfn>(block.ffn).gate, GateKind::channel);
}

TEST_F(InspectorTest, ParametersThatDoNotApplyAreHidden)
{
    auto& rotaryDim = control<QSlider>(QStringLiteral("block.mixer.rotary_dim.slider"));
    EXPECT_TRUE(rotaryDim.isHidden());

    control<QCheckBox>(QStringLiteral("block.mixer.rotary.check")).click();

    EXPECT_FALSE(rotaryDim.isHidden());
}

TEST_F(InspectorTest, LayersCanBeDraggedThoughBlocksAreCountedDifferently)
{
    auto& layers = control<QSlider>(QStringLiteral("layers.slider"));
    const int rebuilds = inspector.rebuilds();

    layers.setSliderDown(true);
    layers.setSliderPosition(layers.value() + 4);
    layers.setSliderDown(false);

    EXPECT_EQ(document.model().layers(), 16);
    EXPECT_EQ(inspector.rebuilds(), rebuilds);
}

TEST_F(InspectorTest, ControlsHaveUniqueNamesAndAreAccessible)
{
    QSet<QString> names;
    for (const QWidget* widget : inspector.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || test::isQtsOwn(*widget)) {
            continue;
        }
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
        EXPECT_FALSE(names.contains(widget->objectName())) << qPrintable(widget->objectName());
        names << widget->objectName();
    }
    EXPECT_GT(names.size(), 15);
}

FfnComparison comparedAt768(const FfnSpec& ffn)
{
    return ffnComparison(ffn, findPreset("gpt2")->scenario());
}

TEST(FfnComparison, CountsTheDefaultUltraEfficientFfn)
{
    const FfnComparison comparison = comparedAt768(ultraEfficientSparseFfn());

    EXPECT_EQ(comparison.parameters.dense, Count{4722432});
    EXPECT_TRUE(comparison.parameters.isLess());
    EXPECT_EQ(comparison.parameters.text(QStringLiteral("parameters")),
              QStringLiteral("%1× fewer parameters")
                  .arg(qRound(4722432.0 / static_cast<double>(comparison.parameters.own))));
    EXPECT_EQ(comparison.flops.text(QStringLiteral("FLOPs")), QStringLiteral("211× fewer FLOPs"));
}

TEST(FfnComparison, NearlyTheSameIsToldInPercent)
{
    const ComparedWithDense parameters = comparedAt768(DenseFfn{.bias = false}).parameters;

    EXPECT_EQ(parameters.dense - parameters.own, Count{4 * 768 + 768});
    EXPECT_EQ(parameters.text(QStringLiteral("parameters")),
              QStringLiteral("0.08 % fewer parameters")); // 3840 of 4722432
}

TEST(FfnComparison, TheDenseFfnIsTheSameAsItself)
{
    EXPECT_EQ(comparedAt768(DenseFfn{}).flops.text(QStringLiteral("FLOPs")),
              QStringLiteral("as many FLOPs"));
}

TEST(InspectorFold, ShowsWhatMattersMostAndTheRestOnAsking)
{
    Document document(findPreset("gpt2-half-swapped")->scenario());
    document.select(Selection::ofRun(1));
    Inspector inspector(document);
    const std::size_t all = inspector.editors().size();
    auto& more = *inspector.findChild<QAbstractButton*>(QStringLiteral("inspector.more"));

    inspector.setShowsAll(false);
    EXPECT_LE(inspector.editors().size(), 8U);
    EXPECT_TRUE(more.text().contains(QString::number(all - inspector.editors().size())))
        << qPrintable(more.text());

    more.click();
    EXPECT_EQ(inspector.editors().size(), all);
    EXPECT_TRUE(inspector.showsAll());
}

} // namespace
} // namespace flopsmith::ui
