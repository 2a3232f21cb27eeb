// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/program_parts.h"

#include "core/export/torch/model_source.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

const char* const kProgram = R"("""What it is."""
import torch


def rotate(
    x,
):
    """Turns.

    class NotOne: of a docstring.
    """
    return x


class Norm(nn.Module):
    def forward(self, x):
        return x


NUMBER = 1


class Model(nn.Module):
    def __init__(self):
        self.norm = Norm()
        self.normal = NotNorm(2)

    def forward(self, x):
        return rotate(self.norm(x))
)";

TEST(ProgramParts, AreTheClassesAndFunctionsAtTheTop)
{
    const QList<ProgramPart> parts = programParts(QString::fromUtf8(kProgram));

    ASSERT_EQ(parts.size(), 3);
    EXPECT_EQ(parts[0].name, QStringLiteral("rotate"));
    EXPECT_EQ(parts[0].kind, ProgramPart::Kind::function);
    EXPECT_EQ(parts[0].line, 4);
    EXPECT_TRUE(parts[0].text.endsWith(QLatin1String("    return x\n")));
    EXPECT_EQ(parts[1].text,
              QStringLiteral("class Norm(nn.Module):\n    def forward(self, x):\n"
                             "        return x\n"));
    EXPECT_EQ(parts[2].name, QStringLiteral("Model"));
    EXPECT_TRUE(parts[2].text.endsWith(QLatin1String("rotate(self.norm(x))\n")));
}

TEST(ProgramParts, NameThoseThatTheyCall)
{
    const QList<ProgramPart> parts = programParts(QString::fromUtf8(kProgram));

    EXPECT_EQ(calledParts(parts[2], parts),
              (QStringList{QStringLiteral("rotate"), QStringLiteral("Norm")}));
    EXPECT_EQ(calledParts(parts[1], parts), QStringList());
}

TEST(ProgramParts, OfEveryPresetStandInItBehindEachOther)
{
    for (const Preset& preset : presets()) {
        const auto source = torch::modelSource({preset.make(), {}});
        ASSERT_TRUE(source.ok()) << preset.id;
        const QString program = QString::fromStdString(*source);
        const QList<ProgramPart> parts = programParts(program);
        ASSERT_FALSE(parts.isEmpty());
        const QStringList lines = program.split(QLatin1Char('\n'));
        qsizetype end = 0;
        for (const ProgramPart& part : parts) {
            const qsizetype place = program.indexOf(part.text, end);
            ASSERT_GE(place, end) << preset.id << " " << qPrintable(part.name);
            EXPECT_TRUE(part.text.startsWith(lines[part.line] + QLatin1Char('\n')));
            end = place + part.text.size();
        }

        EXPECT_EQ(end, program.size()) << preset.id;
        EXPECT_EQ(parts.back().name, QStringLiteral("Model")) << preset.id;
    }
}

TEST(ProgramParts, OfNothingAreNone)
{
    EXPECT_TRUE(programParts(QString()).isEmpty());
    EXPECT_TRUE(programParts(QStringLiteral("x = 1\n  y\n")).isEmpty());
}

} // namespace
} // namespace flopsmith::ui
