// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/qr_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

// The square of 7 modules with a light ring that stands in three corners.
bool hasFinder(const QrCode& code, int row, int column)
{
    for (int r = 0; r < 7; ++r) {
        for (int c = 0; c < 7; ++c) {
            const int ring = std::min({r, c, 6 - r, 6 - c});
            if (code.isDark(row + r, column + c) != (ring != 1)) {
                return false;
            }
        }
    }
    return true;
}

TEST(QrCode, HasTheMarksOfTheStandard)
{
    for (const std::size_t length : {1U, 60U, 300U, 1200U}) {
        const QrCode code = QrCode::create(std::string(length, 'x')).value();
        const int end = code.size() - 7;

        EXPECT_EQ((code.size() - 17) % 4, 0) << length;
        EXPECT_TRUE(hasFinder(code, 0, 0));
        EXPECT_TRUE(hasFinder(code, 0, end));
        EXPECT_TRUE(hasFinder(code, end, 0));
        EXPECT_FALSE(hasFinder(code, end, end));
        for (int i = 8; i < code.size() - 8; ++i) { // light and dark in turn
            EXPECT_EQ(code.isDark(6, i), i % 2 == 0);
        }
    }
}

TEST(QrCode, RefusesWhatNobodyCanScan)
{
    EXPECT_FALSE(QrCode::create("").ok());
    EXPECT_THAT(QrCode::create(std::string(kLongestQrText + 1, 'x')).error().message,
                testing::HasSubstr("1201 characters"));
}

TEST(QrCode, TheSvgDarkensWhatIsDark)
{
    const QrCode code = QrCode::create("flopsmith:FS1.x").value();
    const std::string svg = qrSvg(code);
    const std::string side = std::to_string(code.size() + 8);

    EXPECT_THAT(svg, testing::StartsWith("<svg "));
    EXPECT_THAT(svg, testing::HasSubstr("viewBox=\"0 0 " + side + " " + side + "\""));
    EXPECT_THAT(svg, testing::HasSubstr("M4 4h7v1h-7z")); // the upper edge of the first mark
}

TEST(QrCode, TheTextHasALinePerTwoRows)
{
    const QrCode code = QrCode::create("flopsmith:FS1.x").value();
    const std::string text = qrText(code);

    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), (code.size() + 8 + 1) / 2);
    EXPECT_THAT(text, testing::StartsWith("\u2588\u2588\u2588\u2588"));
}

} // namespace
} // namespace flopsmith
