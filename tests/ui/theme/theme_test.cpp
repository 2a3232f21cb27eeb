// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QFontMetricsF>
#include <QPixmap>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr Component kOrange{"orange", "Orange", 0xE69F00, Hatch::none};
constexpr Component kWhite{"white", "White", 0xFFFFFF, Hatch::none};

class EachTheme : public testing::TestWithParam<bool>
{
protected:
    const Theme& theme() const { return GetParam() ? darkTheme() : lightTheme(); }
};

TEST_P(EachTheme, TextHasContrast)
{
    for (const QColor& ground : {theme().panel, theme().field, theme().ground, theme().toolBar}) {
        EXPECT_GE(contrast(theme().text, ground), 7.0);
        EXPECT_GE(contrast(theme().mutedText, ground), 4.5);
    }
    EXPECT_GE(contrast(theme().onAccent, theme().accent), 4.5);
    EXPECT_GE(contrast(theme().accent, theme().panel), 4.5);
    EXPECT_GE(contrast(theme().positive, theme().panel), 4.5);
    EXPECT_GE(contrast(theme().warning, theme().panel), 4.5);
    EXPECT_GE(contrast(theme().negative, theme().panel), 4.5);
}

TEST(LectureTheme, HasContrastForTheLastRow)
{
    const Theme& theme = lectureTheme();
    EXPECT_FALSE(theme.dark);
    for (const QColor& ground : {theme.panel, theme.field, theme.ground, theme.toolBar}) {
        EXPECT_GE(contrast(theme.text, ground), 15.0);
        for (const QColor& ink :
             {theme.mutedText, theme.accent, theme.positive, theme.warning, theme.negative}) {
            EXPECT_GE(contrast(ink, ground), 7.0) << qPrintable(ink.name());
        }
        EXPECT_GE(contrast(theme.fieldBorder, ground), 3.0);
    }
    EXPECT_GE(contrast(theme.onAccent, theme.accent), 7.0);
}

TEST(LectureTheme, IsRecognisedByItsPalette)
{
    EXPECT_EQ(&systemTheme(palette(lectureTheme())), &lectureTheme());
    QPalette own(Qt::white); // of a desktop
    EXPECT_EQ(&systemTheme(own), &lightTheme());
}

TEST_P(EachTheme, StyleSheetKnowsEveryColourItNames)
{
    EXPECT_FALSE(styleSheet(theme()).contains(QLatin1Char('@')));
}

TEST_P(EachTheme, LinesKeepTheirComponentsColourWhileItCanBeSeen)
{
    EXPECT_EQ(lineColour(kOrange, theme()), colour(kOrange));
    EXPECT_GE(contrast(lineColour(kWhite, theme()), theme().panel), 2.2);
}

TEST_P(EachTheme, CanBePutOnAndRecognised)
{
    applyTheme(*qApp, theme());

    EXPECT_EQ(systemTheme().dark, theme().dark);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), theme().ground);
}

TEST_P(EachTheme, ASliderHasItsOwnAccentAndJumpsToTheClick)
{
    applyTheme(*qApp, theme());
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    slider.setProperty("accent", QColor(0xE69F00));
    slider.resize(220, 24);

    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(165, 12));

    EXPECT_NEAR(slider.value(), 75, 3);
    EXPECT_EQ(slider.grab().toImage().pixelColor(60, 12).rgb(), QColor(0xE69F00).rgb());
}

TEST_P(EachTheme, FieldsAreOneHeight)
{
    applyTheme(*qApp, theme());
    QComboBox combo;
    combo.addItem(QStringLiteral("exact"));
    QSpinBox spin;
    combo.adjustSize();
    spin.adjustSize();

    EXPECT_EQ(combo.height(), spin.height());
    EXPECT_GE(combo.height(), 28);
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, EachTheme, testing::Bool());

// In the lane with Inter the scale is 1, in that with DejaVu Sans below it.
TEST(Fonts, AScaledLineIsNoWiderThanInter)
{
    const QString line = QStringLiteral("Attention 38 % of the time, 12 GFLOPs of products");
    constexpr double kInter = 2384.0; // pixels, in Inter's regular weight at 100 pixels
    QFont font = uiFont();
    font.setPixelSize(static_cast<int>(std::lround(100 * widthScale())));

    EXPECT_LE(QFontMetricsF(font).horizontalAdvance(line), kInter * 1.02);
    EXPECT_GE(widthScale(), 0.8);
    EXPECT_LE(widthScale(), 1.0);
}

TEST(Contrast, IsThatOfTheGuidelines)
{
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 1e-9);
    EXPECT_NEAR(contrast(QColor(0x767676), Qt::white), 4.54, 0.01);
}

} // namespace
} // namespace flopsmith::ui
