// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/part_stack.h"

#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/ffn/token_feedback.h"
#include "core/mixer/attention.h"
#include "core/mixer/mixer.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QImage>

#include <limits>

namespace flopsmith::ui {
namespace {

const std::vector<PartNorm> kTwoBlocks{{.part = "embedding", .norm = 0.3},
                                       {.part = "blocks[0]/mixer_norm", .norm = 0.03},
                                       {.part = "blocks[0]/attention", .norm = 0.1},
                                       {.part = "blocks[0]/ffn", .norm = 0.2},
                                       {.part = "blocks[1]/ffn", .norm = 0.0003},
                                       {.part = "final_norm", .norm = 0.01}};

TEST(PartFrames, AreTheBlocksOfTheStackAndWhatStandsAroundThem)
{
    const std::vector<PartFrame> frames = partFrames(kTwoBlocks, SpectralFfn{});

    ASSERT_EQ(frames.size(), 4U);
    EXPECT_EQ(frames[0].label, QString());
    EXPECT_EQ(frames[0].parts.front().component, &kEmbeddingComponent);
    EXPECT_EQ(frames[1].label, QStringLiteral("1"));
    ASSERT_EQ(frames[1].parts.size(), 3U);
    EXPECT_TRUE(frames[1].parts[0].isThin);
    EXPECT_EQ(frames[1].parts[0].component, &kNormComponent);
    EXPECT_EQ(frames[1].parts[1].title, QStringLiteral("Attention"));
    EXPECT_EQ(frames[1].parts[1].component, info(MixerSpec(Attention{})).component);
    EXPECT_FALSE(frames[1].parts[1].isThin);
    EXPECT_EQ(frames[1].parts[2].title, QStringLiteral("Spectral"));
    EXPECT_EQ(frames[1].parts[2].component, info(SpectralFfn{}).component);
    EXPECT_EQ(frames[2].label, QStringLiteral("2"));
    EXPECT_EQ(frames[2].parts[0].path, QStringLiteral("blocks[1]/ffn"));
    EXPECT_EQ(frames[3].parts.front().title, QStringLiteral("Final norm"));
}

TEST(PartFrames, StagesOfAnFfnAreOfItsComponent)
{
    const std::vector<PartFrame> frames = partFrames(
        {{.part = "blocks[0]/ffn/step[0]", .norm = 1.0}, {.part = "final_norm", .norm = 1.0}},
        TokenFeedbackFfn{});

    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].parts[0].title, QStringLiteral("step[0]"));
    EXPECT_EQ(frames[0].parts[0].component, info(TokenFeedbackFfn{}).component);
}

TEST(PartFrames, AnFfnAloneIsOneFrameOfItsTensors)
{
    const std::vector<PartFrame> frames = partFrames(
        {{.part = "ffn/up.weight", .norm = 1.0}, {.part = "down.weight", .norm = 0.5}}, DenseFfn{});

    ASSERT_EQ(frames.size(), 1U);
    ASSERT_EQ(frames[0].parts.size(), 2U);
    EXPECT_EQ(frames[0].parts[0].title, QStringLiteral("up.weight"));
    EXPECT_EQ(frames[0].parts[1].component, info(DenseFfn{}).component);
    EXPECT_TRUE(partFrames({}, DenseFfn{}).empty());
}

// Pixels of a colour in a line of the picture.
int pixels(const QImage& image, int y, const QColor& wanted)
{
    int found = 0;
    for (int x = 0; x < image.width(); ++x) {
        found += image.pixelColor(x, y) == wanted ? 1 : 0;
    }
    return found;
}

// A decade less is a third of the longest bar; what is below three decades has none.
TEST(PartStack, DrawsBarsAsLongAsTheLogarithmOfTheNorms)
{
    PartStack stack;
    const QColor dense = colour(*info(DenseFfn{}).component);
    const auto bar = [&](double norm) {
        stack.setParts(
            {{.part = "a", .norm = 1.0},
             {.part = "b", .norm = norm},
             {.part = "c", .norm = 1.23e-9}}, // the widest number leaves all bars as much room
            DenseFfn{});
        stack.resize(400, stack.sizeHint().height());
        const QImage image = stack.grab().toImage();
        const int line = stack.fontMetrics().height() + 1;
        return pixels(image, 4 + line + line / 2, dense); // in the middle of the second part
    };
    const int whole = bar(1.0);
    const int edge = bar(0.0);

    ASSERT_GT(whole - edge, 100);
    EXPECT_NEAR(bar(0.1) - edge, (whole - edge) * 2.0 / 3.0, 3.0);
    EXPECT_NEAR(bar(0.01) - edge, (whole - edge) / 3.0, 3.0);
    EXPECT_EQ(bar(1e-6), edge);
    EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN()), edge);
}

TEST(PartStack, SaysItsNormsAndNeedsNoPlaceWithoutThem)
{
    PartStack stack;
    EXPECT_EQ(stack.sizeHint().height(), 0);

    stack.setParts(kTwoBlocks, DenseFfn{});

    EXPECT_GT(stack.sizeHint().height(), 0);
    EXPECT_TRUE(stack.accessibleDescription().startsWith(QLatin1String("embedding 0.3, ")));
    EXPECT_FALSE(stack.grab().isNull());
}

} // namespace
} // namespace flopsmith::ui
