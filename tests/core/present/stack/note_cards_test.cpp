// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/note_cards.h"

#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/model/stack_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace flopsmith {
namespace {

StackPicture notedPicture(const Model& model)
{
    const Scenario scenario{.model = model};
    return stackPicture(scenario, costTree(scenario), LensId::exact);
}

std::string titleOfNoted(const NoteAnchor& anchor, const Model& model)
{
    const StackPicture picture = notedPicture(model);
    const NotedPart noted = notedPart(anchor, model, picture);
    if (noted.row < 0) {
        return "";
    }
    const StackRow& row = picture.rows.at(static_cast<std::size_t>(noted.row));
    return noted.part < 0
        ? row.title
        : row.title + ": " + row.parts.at(static_cast<std::size_t>(noted.part)).title;
}

TEST(NoteCards, LeadToTheRowAndThePart)
{
    const Model gpt2 = *presetNamed("gpt2");
    EXPECT_EQ(titleOfNoted({NotePart::ffn, 0}, gpt2), "Blocks 1 – 12: Dense");
    EXPECT_EQ(titleOfNoted({NotePart::mixer, 7}, gpt2), "Blocks 1 – 12: Attention");
    EXPECT_EQ(titleOfNoted({NotePart::block, 11}, gpt2), "Blocks 1 – 12");
    EXPECT_EQ(titleOfNoted({NotePart::norm, 0}, gpt2), "Blocks 1 – 12");
    EXPECT_EQ(titleOfNoted({NotePart::embedding}, gpt2), "Embedding");
    EXPECT_EQ(titleOfNoted({}, gpt2), "");
}

TEST(NoteCards, OfARepeatLeadToTheRowThatStandsForIt)
{
    BlockRun narrow;
    narrow.block.ffn = DenseFfn{.dFf = 1024};
    Model model;
    setStackUnits(model, {{{BlockRun{}, narrow}, 3}}); // blocks A B A B A B
    const StackPicture picture = notedPicture(model);

    const NotedPart noted = notedPart({NotePart::ffn, 5}, model, picture);
    ASSERT_GE(noted.row, 0);
    EXPECT_EQ(picture.rows[static_cast<std::size_t>(noted.row)].run, 1);
}

TEST(NoteCards, EveryRowAndPartCanHaveOneAndFindsItAgain)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "t5-small"}) {
        const Model model = *presetNamed(preset);
        const StackPicture picture = notedPicture(model);
        for (int row = 0; row < static_cast<int>(picture.rows.size()); ++row) {
            const StackRow& shown = picture.rows[static_cast<std::size_t>(row)];
            const bool isRun = shown.kind == StackRow::Kind::run;
            for (int part = -1; part < (isRun ? static_cast<int>(shown.parts.size()) : 0); ++part) {
                const NoteAnchor anchor = anchorOf({row, part}, picture);
                ASSERT_TRUE(checked(anchor, model).ok()) << preset << ' ' << row;
                EXPECT_EQ(notedPart(anchor, model, picture), (NotedPart{row, part})) << preset;
            }
        }
        EXPECT_EQ(anchorOf({}, picture), NoteAnchor{});
    }
}

TEST(NoteCards, StandBesideTheirParts)
{
    const std::vector<NoteCard> cards{{100.0, 40.0}, {20.0, 30.0}};
    EXPECT_EQ(noteSpans(cards, 10.0, 4.0, 0.0),
              (std::vector<ColumnSpan>{{90.0, 130.0}, {10.0, 40.0}}));
}

TEST(NoteCards, ArePushedDownByThoseAbove)
{
    const std::vector<NoteCard> cards{{20.0, 30.0}, {20.0, 30.0}, {60.0, 10.0}};
    EXPECT_EQ(noteSpans(cards, 10.0, 4.0, 0.0),
              (std::vector<ColumnSpan>{{10.0, 40.0}, {44.0, 74.0}, {78.0, 88.0}}));
}

TEST(NoteCards, DoNotStandAboveTheStack)
{
    const std::vector<NoteCard> cards{{3.0, 30.0}};
    EXPECT_EQ(noteSpans(cards, 10.0, 4.0, 6.0), (std::vector<ColumnSpan>{{6.0, 36.0}}));
    EXPECT_TRUE(noteSpans({}, 10.0, 4.0, 6.0).empty());
}

TEST(NoteCards, NeverOverlap)
{
    std::mt19937 random(5); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same cards each time
    const auto below = [&random](unsigned end) { return static_cast<double>(random() % end); };
    for (int round = 0; round < 100; ++round) {
        std::vector<NoteCard> cards(1 + random() % kMaxNotes);
        for (NoteCard& card : cards) {
            card = {below(1000), 20.0 + below(120)};
        }
        std::vector<ColumnSpan> spans = noteSpans(cards, 8.0, 4.0, 0.0);
        for (std::size_t i = 0; i < cards.size(); ++i) {
            EXPECT_DOUBLE_EQ(spans[i].height(), cards[i].height);
            EXPECT_GE(spans[i].top, std::max(0.0, cards[i].at - 8.0));
        }
        std::sort(spans.begin(), spans.end(), [](const ColumnSpan& a, const ColumnSpan& b) {
            return a.top < b.top;
        });
        for (std::size_t i = 1; i < spans.size(); ++i) {
            EXPECT_GE(spans[i].top, spans[i - 1].bottom + 4.0 - 1e-9);
        }
    }
}

} // namespace
} // namespace flopsmith
