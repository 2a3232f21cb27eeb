// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/formula_text.h"

#include "core/formula/formula.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <QTextDocument>

namespace flopsmith::ui {
namespace {

// Without markup; narrow and fixed blanks as plain ones.
QString read(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText()
        .replace(QChar(0x202F), QLatin1Char(' '))
        .replace(QChar(0xA0), QLatin1Char(' '));
}

TEST(FormulaHtml, PowersAreRaisedAndLettersSlanted)
{
    EXPECT_EQ(formulaHtml("24*d^2*B"),
              QStringLiteral("24\u00A0<i>d</i><sup>2</sup>\u00A0<i>B</i>"));
}

TEST(FormulaHtml, SymbolsThatCanBeMovedCarryTheirNames)
{
    EXPECT_EQ(
        formulaHtml("4*d*f*B", {QStringLiteral("f")}),
        QStringLiteral("4\u00A0<i>d</i>\u00A0<span title='symbol:f'><i>d</i><sub><i>ff</i></sub>"
                       "</span>\u00A0<i>B</i>"));
    EXPECT_EQ(read(formulaHtml("log2(d)*S/H", {QStringLiteral("d"), QStringLiteral("H")})),
              read(formulaHtml("log2(d)*S/H")));
}

TEST(FormulaHtml, TermsKeepTheirSigns)
{
    EXPECT_EQ(read(formulaHtml("24*d*S + 4*B - 3")), QStringLiteral("24 d S + 4 B − 3"));
    EXPECT_EQ(read(formulaHtml("-d + B")), QStringLiteral("−d + B"));
    EXPECT_EQ(read(formulaHtml("0")), QStringLiteral("0"));
}

TEST(FormulaHtml, SubscriptsAreThoseOfPapers)
{
    EXPECT_EQ(symbolHtml("d"), QStringLiteral("<i>d</i>"));
    EXPECT_EQ(symbolHtml("s_mu"), QStringLiteral("<i>s</i><sub><i>μ</i></sub>"));
    EXPECT_EQ(symbolHtml("f"), QStringLiteral("<i>d</i><sub><i>ff</i></sub>"));
    EXPECT_EQ(symbolHtml("f_2"), QStringLiteral("<i>d</i><sub><i>ff</i>,2</sub>"));
    EXPECT_EQ(symbolHtml("N_types"), QStringLiteral("<i>N</i><sub>types</sub>"));
}

TEST(FormulaHtml, ARationalNumberIsASmallFraction)
{
    EXPECT_EQ(formulaHtml("5/2*d"), QStringLiteral("<sup>5</sup>⁄<sub>2</sub>\u00A0<i>d</i>"));
    EXPECT_EQ(read(formulaHtml("5/2*768")), QStringLiteral("5⁄2 · 768"));
}

TEST(FormulaHtml, DivisorsStandTogetherBelow)
{
    EXPECT_EQ(read(formulaHtml("2*d^2*G/H")), QStringLiteral("2 d2 G ⁄ H"));
    EXPECT_EQ(read(formulaHtml("2*G/H/h")), QStringLiteral("2 G ⁄ (H h)"));
    EXPECT_EQ(read(formulaHtml("1/H")), QStringLiteral("1 ⁄ H"));
}

TEST(FormulaHtml, LogarithmsHaveTheirBaseAndPower)
{
    EXPECT_EQ(formulaHtml("log2(d)"), QStringLiteral("log<sub>2</sub>\u00A0<i>d</i>"));
    EXPECT_EQ(formulaHtml("log2(d)^2"),
              QStringLiteral("log<sub>2</sub><sup>2</sup>\u00A0<i>d</i>"));
    EXPECT_EQ(read(formulaHtml("5/2*d*log2(d + n)*B + 1")),
              QStringLiteral("5⁄2 d log2(d + n) B + 1"));
    EXPECT_EQ(read(formulaHtml("log2(d^2)")), QStringLiteral("log2 d2"));
}

TEST(FormulaHtml, NumbersAreGroupedAndMultipliedWithADot)
{
    EXPECT_EQ(read(formulaHtml("24*768^2*1024 + 50257")),
              QStringLiteral("24 · 7682 · 1024 + 50 257"));
}

TEST(FormulaHtml, LosesNothingOfAnyPreset)
{
    const auto letters = [](QString text) {
        for (const char* dropped : {"*", "(", ")", "^", "_", "/", "⁄", "·", " ", ","}) {
            text.remove(QString::fromUtf8(dropped));
        }
        return text.replace(QStringLiteral("μ"), QStringLiteral("mu"))
            .replace(QStringLiteral("−"), QStringLiteral("-"));
    };
    for (const char* name : {"gpt2", "gpt2-ultra-efficient", "llama-3-8b"}) {
        const Result<Formula> formula =
            formulaOf({.model = *presetNamed(name)}, "block", LensId::exact);
        ASSERT_TRUE(formula.ok());
        EXPECT_EQ(letters(read(formulaHtml(formula->numbers))),
                  letters(QString::fromStdString(formula->numbers)));
    }
}

} // namespace
} // namespace flopsmith::ui
