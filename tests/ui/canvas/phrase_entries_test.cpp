// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/phrase_entries.h"

#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

class PhraseEntriesTest : public testing::Test
{
protected:
    // Runs the first row of the phrase, which must be possible.
    void run(const QString& phrase)
    {
        const std::vector<TypedEntry> rows = phraseEntries(document, phrase);
        ASSERT_FALSE(rows.empty()) << qPrintable(phrase);
        ASSERT_EQ(rows.front().refusal.toStdString(), "") << qPrintable(phrase);
        rows.front().run();
        EXPECT_TRUE(validated(document.scenario()).ok());
    }

    std::string refusal(const QString& phrase)
    {
        const std::vector<TypedEntry> rows = phraseEntries(document, phrase);
        EXPECT_EQ(rows.size(), 1U) << qPrintable(phrase);
        return rows.empty() ? std::string() : rows.front().refusal.toStdString();
    }

    // The blocks one by one, D dense, M experts, G gated, U ultra-efficient.
    std::string blocks() const
    {
        std::string all;
        for (const BlockRun& each : document.model().runs) {
            const FfnSpec& ffn = each.block.ffn;
            all.append(static_cast<std::size_t>(each.repeat),
                       holds_alternative<DenseFfn>(ffn)       ? 'D'
                           : holds_alternative<MoeFfn>(ffn)   ? 'M'
                           : holds_alternative<GatedFfn>(ffn) ? 'G'
                                                              : 'U');
        }
        return all;
    }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
};

TEST_F(PhraseEntriesTest, EveryFourthBlockIsOneStep)
{
    const Scenario before = document.scenario();
    for (const char* phrase : {"every 4th block: mixture of experts", "Every fourth MoE"}) {
        run(QLatin1String(phrase));
        EXPECT_EQ(blocks(), "DDDMDDDMDDDM") << phrase;
        EXPECT_EQ(document.model().patterns.size(), 1U);
        EXPECT_EQ(document.selection().runs(), std::vector<int>{1});
        EXPECT_EQ(document.undoStack().index(), 1);
        document.undoStack().undo();
        EXPECT_EQ(document.scenario(), before);
    }
}

TEST_F(PhraseEntriesTest, SaysExactlyWhichBlocksChange)
{
    const auto helpOf = [this](const char* phrase) {
        return phraseEntries(document, QLatin1String(phrase)).front().help.toStdString();
    };
    EXPECT_EQ(helpOf("every 4th moe"), "Blocks 4, 8, 12 become Mixture of experts.");
    EXPECT_EQ(helpOf("last block moe"), "Block 12 becomes Mixture of experts.");
    EXPECT_EQ(helpOf("every 6th fourier mix"), "Blocks 6, 12 get Fourier mixing as their mixer.");
    EXPECT_EQ(helpOf("repeat 2"), "Blocks 1 – 12 come 2 times more: the model has 36 blocks then.");
}

TEST_F(PhraseEntriesTest, TheLastBlocksKeepWhatRepeatsBeforeThem)
{
    run(QStringLiteral("every 4th moe"));
    run(QStringLiteral("last 2 ultraefficientsparse"));

    EXPECT_EQ(blocks(), "DDDMDDDMDDUU");
    EXPECT_EQ(document.model().patterns, (std::vector<Pattern>{{0, 2, 2}}));
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(PhraseEntriesTest, SeveralEditsTogetherAreOneStep)
{
    run(QStringLiteral("every fourth moe, the last two UltraEfficientSparseFFN"));

    EXPECT_EQ(blocks(), "DDDMDDDMDDUU");
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(PhraseEntriesTest, OfSeveralSelectedRowsTheirBlocksAreCounted)
{
    document.start(Scenario{.model = *presetNamed("gpt2-half-swapped")});
    document.select(Selection::ofRuns({0, 1}, 0));
    run(QStringLiteral("every 4th moe"));
    EXPECT_EQ(blocks(), "DDDMDDUMUUUM");

    document.undoStack().undo();
    document.select(Selection::ofRun(1));
    const auto rows = phraseEntries(document, QStringLiteral("every 4th moe"));
    ASSERT_EQ(rows.size(), 2U) << "the whole stack, and the selected blocks";
    EXPECT_EQ(rows[0].detail.toStdString(), "blocks 4, 8, 12");
    EXPECT_EQ(rows[1].detail.toStdString(), "block 10");
    rows[1].run();
    EXPECT_EQ(blocks(), "DDDDDDUUUMUU");
}

TEST_F(PhraseEntriesTest, TheSelectedBlocksAreRepeated)
{
    run(QStringLiteral("every 4th moe"));
    document.select(Selection::ofRuns({0, 1}, 0)); // the pattern
    run(QStringLiteral("repeat once"));
    EXPECT_EQ(blocks(), "DDDMDDDMDDDMDDDMDDDMDDDM");
    EXPECT_EQ(document.model().patterns.front().times, 6);
    EXPECT_EQ(document.selection().runs(), (std::vector<int>{0, 1}));
}

TEST_F(PhraseEntriesTest, AWrongNumberOrPartIsOneSentence)
{
    EXPECT_EQ(refusal(QStringLiteral("every 13th moe")), "There are only 12 blocks.");
    EXPECT_EQ(refusal(QStringLiteral("last 20 moe")), "There are only 12 blocks.");
    EXPECT_NE(refusal(QStringLiteral("every 0 moe")), "");
    EXPECT_NE(refusal(QStringLiteral("repeat 0")), "");
    EXPECT_NE(refusal(QStringLiteral("repeat 5000")), "");
    EXPECT_NE(refusal(QStringLiteral("every 2nd nonsense")), "");
    EXPECT_NE(refusal(QStringLiteral("every 2nd dense")), "") << "they have it";
    EXPECT_NE(refusal(QStringLiteral("every 2nd cross-attention")), "") << "there is no encoder";
    EXPECT_TRUE(phraseEntries(document, QStringLiteral("undo")).empty());
}

TEST_F(PhraseEntriesTest, WithoutAPartAllAreOffered)
{
    EXPECT_GT(phraseEntries(document, QStringLiteral("every 4th ")).size(), 10U);
    EXPECT_EQ(phraseEntries(document, QStringLiteral("every 4th moe")).size(), 1U);
}

TEST_F(PhraseEntriesTest, SharedParametersStaySharedAmongTheOthers)
{
    document.start(Scenario{.model = *presetNamed("albert-base")});
    const int layers = document.model().layers();
    run(QStringLiteral("every 3rd block gated"));
    EXPECT_EQ(document.model().layers(), layers);
    EXPECT_EQ(blocks().substr(0, 6), "DDGDDG");
}

TEST_F(PhraseEntriesTest, EveryOfferedRowIsOneStepThatUndoes)
{
    document.start(Scenario{.model = flopsmith::test::patterned()});
    const Scenario before = document.scenario();
    for (const char* phrase : {"every 2nd ", "every 4th ", "last 3 ", "first 2 ", "repeat 2"}) {
        for (const TypedEntry& row : phraseEntries(document, QLatin1String(phrase))) {
            if (!row.refusal.isEmpty()) {
                continue;
            }
            row.run();
            EXPECT_TRUE(validated(document.scenario()).ok()) << qPrintable(row.title);
            EXPECT_EQ(document.undoStack().index(), 1) << qPrintable(row.title);
            document.undoStack().undo();
            EXPECT_EQ(document.scenario(), before) << qPrintable(row.title);
        }
    }
}

} // namespace
} // namespace flopsmith::ui
