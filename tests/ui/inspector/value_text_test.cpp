// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/value_text.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

TEST(ValueText, RatiosHaveTwoDecimals)
{
    EXPECT_EQ(boxText(0.5), QStringLiteral("0.50"));
    EXPECT_EQ(boxText(0.125), QStringLiteral("0.125"));
    EXPECT_EQ(boxText(std::int64_t{768}), QStringLiteral("768"));
}

TEST(ValueText, ReadsWhatIsTyped)
{
    EXPECT_EQ(typedValue(QStringLiteral(" 12 "), std::int64_t{0}), FieldValue(std::int64_t{12}));
    EXPECT_EQ(typedValue(QStringLiteral("0,25"), 0.5), FieldValue(0.25));
    EXPECT_EQ(typedValue(QStringLiteral("many"), std::int64_t{0}), std::nullopt);
    EXPECT_EQ(typedValue(QStringLiteral("99999999999"), std::int64_t{0}),
              FieldValue(std::int64_t{99999999999}));
    EXPECT_EQ(typedValue(QStringLiteral("99999999999999999999"), std::int64_t{0}),
              FieldValue(std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(typedValue(QStringLiteral("nan"), 0.5), std::nullopt);
}

TEST(ValueText, WholeNumbersMayBeGrouped)
{
    for (const char* text : {"1,024", "1 024", "1.024"}) {
        EXPECT_EQ(typedValue(QLatin1String(text), std::int64_t{0}), FieldValue(std::int64_t{1024}))
            << text;
    }
    for (const char* text : {"1,5", "1,02", "1,024.000", ",024"}) {
        EXPECT_EQ(typedValue(QLatin1String(text), std::int64_t{0}), std::nullopt) << text;
    }
}

TEST(ValueText, FindsTheNearestStop)
{
    const std::vector<FieldValue> stops{std::int64_t{1}, std::int64_t{4}, std::int64_t{16}};

    EXPECT_EQ(stopIndex(stops, std::int64_t{0}), 0);
    EXPECT_EQ(stopIndex(stops, std::int64_t{5}), 1);
    EXPECT_EQ(stopIndex(stops, std::int64_t{15}), 2);
    EXPECT_EQ(stopIndex(stops, std::int64_t{99}), 2);
}

TEST(ValueText, StepsFromLegalToLegal)
{
    const LegalValues heads = LegalValues::divisorsOf(12);

    EXPECT_EQ(stepped(heads, heads.stops(), std::int64_t{6}, 1), FieldValue(std::int64_t{12}));
    EXPECT_EQ(stepped(heads, heads.stops(), std::int64_t{12}, 1), FieldValue(std::int64_t{12}));
    EXPECT_EQ(stepped(heads, heads.stops(), std::int64_t{6}, -2), FieldValue(std::int64_t{3}));
}

TEST(ValueText, StepsWholeNumbersByOneWhereThatIsLegal)
{
    const LegalValues wide = LegalValues::integers(1, 100'000, Scale::log2);

    EXPECT_EQ(stepped(wide, wide.stops(), std::int64_t{3072}, 1), FieldValue(std::int64_t{3073}));
}

TEST(ValueText, ALimitIsToldWhereItSaysSomething)
{
    const auto hint = [](const LegalValues& legal) {
        return limitHint(legal, legal.stops(), std::int64_t{1});
    };

    EXPECT_EQ(hint(LegalValues::integers(1, 385)), QStringLiteral("of 385"));
    EXPECT_TRUE(hint(LegalValues::integers(1, 1'000'000)).isEmpty());
    EXPECT_TRUE(hint(LegalValues::divisorsOf(768)).isEmpty());
}

} // namespace
} // namespace flopsmith::ui
