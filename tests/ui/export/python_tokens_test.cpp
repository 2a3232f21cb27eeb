// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/python_tokens.h"

#include "ui/export/python_highlighter.h"

#include <gtest/gtest.h>

#include <QStringList>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array kKinds{PythonKind::keyword,
                            PythonKind::string,
                            PythonKind::number,
                            PythonKind::comment,
                            PythonKind::shape,
                            PythonKind::definition};

// "keyword:return", one for each token.
QStringList told(const QString& line, PythonString& open)
{
    static const QStringList kNames{QStringLiteral("keyword"),
                                    QStringLiteral("string"),
                                    QStringLiteral("number"),
                                    QStringLiteral("comment"),
                                    QStringLiteral("shape"),
                                    QStringLiteral("definition")};
    QStringList tokens;
    for (const PythonToken& token : pythonTokens(line, open)) {
        tokens << kNames[static_cast<int>(token.kind)] + QLatin1Char(':')
                + line.mid(token.start, token.length);
    }
    return tokens;
}

QString told(const char* line)
{
    PythonString open = PythonString::none;
    const QString tokens = told(QString::fromUtf8(line), open).join(QLatin1Char(' '));
    EXPECT_EQ(open, PythonString::none) << line;
    return tokens;
}

TEST(PythonTokens, AreKeywordsAndDefinitions)
{
    EXPECT_EQ(told("class Dense(nn.Module):"), QStringLiteral("keyword:class definition:Dense"));
    EXPECT_EQ(told("    def forward(self, x):"), QStringLiteral("keyword:def definition:forward"));
    EXPECT_EQ(told("return x if y else None"),
              QStringLiteral("keyword:return keyword:if keyword:else keyword:None"));
    EXPECT_EQ(told("returned = classes.format(island)"), QString());
}

TEST(PythonTokens, AreNumbers)
{
    EXPECT_EQ(told("eps=1e-5, d=768"), QStringLiteral("number:1e-5 number:768"));
    EXPECT_EQ(told("x[1:, .5] - 0x1E-2 + 10_000.0"),
              QStringLiteral("number:1 number:.5 number:0x1E number:2 number:10_000.0"));
    EXPECT_EQ(told("conv1d(x2)"), QString());
}

TEST(PythonTokens, AreStrings)
{
    EXPECT_EQ(told("a = 'it\\'s' + \"#no\" + f\"x{1}\""),
              QStringLiteral("string:'it\\'s' string:\"#no\" string:f\"x{1}\""));
    EXPECT_EQ(told("'''one line'''"), QStringLiteral("string:'''one line'''"));
    EXPECT_EQ(told("\"not closed"), QStringLiteral("string:\"not closed"));
    EXPECT_EQ(told("\"ends with \\"), QStringLiteral("string:\"ends with \\"));
    EXPECT_EQ(told("\"\""), QStringLiteral("string:\"\""));
}

TEST(PythonTokens, AreCommentsWithTheirShapes)
{
    EXPECT_EQ(told("x = y  # [B, S, d] and [B, 1]"),
              QStringLiteral("comment:# [B, S, d] and [B, 1] shape:[B, S, d] shape:[B, 1]"));
    EXPECT_EQ(told("# no [shape"), QStringLiteral("comment:# no [shape"));
}

TEST(PythonTokens, OfADocstringGoOnOverLines)
{
    PythonString open = PythonString::none;
    EXPECT_EQ(told(QStringLiteral("    \"\"\"y = W x"), open),
              QStringList{QStringLiteral("string:\"\"\"y = W x")});
    EXPECT_EQ(open, PythonString::doubleQuotes);
    EXPECT_EQ(told(QString(), open), QStringList());
    EXPECT_EQ(told(QStringLiteral("for class ''' 1"), open),
              QStringList{QStringLiteral("string:for class ''' 1")});
    EXPECT_EQ(open, PythonString::doubleQuotes);
    EXPECT_EQ(told(QStringLiteral("    end\"\"\" + 1"), open),
              (QStringList{QStringLiteral("string:    end\"\"\""), QStringLiteral("number:1")}));
    EXPECT_EQ(open, PythonString::none);
}

TEST(PythonTokens, AreReadableUnderEveryTheme)
{
    for (const Theme& theme : {lightTheme(), darkTheme(), lectureTheme()}) {
        for (const PythonKind kind : kKinds) {
            EXPECT_GE(contrast(pythonFormat(kind, theme).foreground().color(), theme.panel), 4.5)
                << static_cast<int>(kind) << (theme.dark ? " dark" : " light");
        }
    }
}

TEST(PythonHighlighter, FormatsATextAndAnotherThemeFormatsItAnew)
{
    QTextDocument document;
    PythonHighlighter highlighter(lightTheme(), &document);
    document.setPlainText(QStringLiteral("\"\"\"one\ntwo\"\"\"\nreturn 1"));
    highlighter.rehighlight(); // a document without a view announces no changes
    const auto colours = [&document](int block) {
        QList<QColor> found;
        for (const auto& range : document.findBlockByNumber(block).layout()->formats()) {
            found << range.format.foreground().color();
        }
        return found;
    };

    EXPECT_EQ(colours(0), QList{lightTheme().positive});
    EXPECT_EQ(colours(1), QList{lightTheme().positive});
    EXPECT_EQ(colours(2), (QList{lightTheme().accent, lightTheme().warning}));
    highlighter.setTheme(darkTheme());
    EXPECT_EQ(colours(1), QList{darkTheme().positive});
}

} // namespace
} // namespace flopsmith::ui
