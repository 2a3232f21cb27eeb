// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claims.h"

#include "core/count/lens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

namespace flopsmith {
namespace {

const Claim& named(const std::vector<Claim>& all, std::string_view id)
{
    for (const Claim& claim : all) {
        if (claim.id == id) {
            return claim;
        }
    }
    throw std::out_of_range(std::string(id));
}

TEST(Claims, AreComparedWithTheDenseFfnOfTheSameSizes)
{
    const auto all = claims({});
    const Count dense = Count{4} * 512 * 4096 * 16384; // the two products alone

    for (const Claim& claim : all) {
        if (claim.sense == ClaimSense::timesFewer) {
            EXPECT_GT(claim.reference.flops(), dense) << claim.id;
            EXPECT_LT(claim.reference.flops(), dense * 101 / 100) << claim.id;
            EXPECT_DOUBLE_EQ(claim.counted,
                             toDouble(claim.reference.flops()) / toDouble(claim.subject.flops()));
        }
    }
}

TEST(Claims, HaveNamesAndAFinding)
{
    std::set<std::string> ids;
    for (const Claim& claim : claims({})) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
        EXPECT_FALSE(claim.sentence.empty()) << claim.id;
        EXPECT_FALSE(claim.parameters.empty()) << claim.id;
        EXPECT_NE(claim.component, nullptr) << claim.id;
        EXPECT_EQ(std::isfinite(claim.counted), claim.verdict != ClaimVerdict::onlyMeasured);
        const bool holds = claim.verdict == ClaimVerdict::holds;
        EXPECT_EQ(holds, claim.range.contains(claim.counted)) << claim.id;
    }
}

TEST(Claims, OfExactRatiosHold)
{
    const auto all = claims({});

    EXPECT_NEAR(named(all, "swiglu").counted, 1.5, 0.01);
    EXPECT_NEAR(named(all, "moe_experts").counted, 1.0, 0.01);
    EXPECT_NEAR(named(all, "moe_per_token").counted, 2.0, 0.01);
    EXPECT_DOUBLE_EQ(named(all, "sharing").counted, 12.0);
    EXPECT_DOUBLE_EQ(named(all, "sharing").flopsRatio(), 1.0);
    EXPECT_NEAR(named(all, "backward").counted, 2.0, 0.01);
    EXPECT_DOUBLE_EQ(named(all, "flash").flopsRatio(), 1.0);
    EXPECT_GT(named(all, "flash").counted, 1.0);
}

// "4–10× is reached at rank 9 to 20.": put in, both ends are in the range, and beyond neither is.
TEST(Claims, SayTrulyAtWhichParametersTheyWouldHold)
{
    const std::regex where("is reached at (\\w+) ([0-9.]+)(?: to ([0-9.]+))?\\.");
    int tried = 0;
    for (const Claim& claim : claims({.dModel = 768, .dFf = 3072, .tokens = 64})) {
        std::smatch found;
        if (!std::regex_search(claim.sentence, found, where)) {
            continue;
        }
        FfnSpec ffn = std::get<FfnSpec>(claim.subject.operation->what);
        for (const std::string& text : {found[1 + 1].str(), found[3].str()}) {
            if (text.empty()) {
                continue;
            }
            for (const Field<FfnSpec>& field : fields(ffn)) {
                if (field.text.key == found[1].str()) {
                    const bool whole = std::holds_alternative<std::int64_t>(field.value(ffn));
                    field.assign(ffn,
                                 whole ? FieldValue(std::int64_t{std::stoll(text)})
                                       : FieldValue(std::stod(text)));
                }
            }
            Operation there = *claim.subject.operation;
            there.what = ffn;
            const double ratio = toDouble(claim.reference.flops())
                / toDouble(priced(LensId::exact, costTree(there).total().count));
            EXPECT_TRUE(claim.range.contains(ratio))
                << claim.id << " at " << found[1] << " " << text << ": " << ratio;
            ++tried;
        }
    }
    EXPECT_GE(tried, 4);
}

TEST(Claims, AreMeasuredWithEqualOperationsOnce)
{
    const auto all = claims({.dModel = 64, .dFf = 256, .tokens = 8});
    const auto parts = measuredParts(all);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(parts[i].operation, parts[j].operation);
        }
    }
    std::vector<double> seconds(parts.size(), 2.0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& dense = named(all, "spectral").reference.operation;
        seconds[i] = parts[i].operation == *dense ? 10.0 : 2.0;
    }

    const double flops = toDouble(named(all, "mfu").subject.flops());
    EXPECT_DOUBLE_EQ(*measured(named(all, "spectral"), parts, seconds, 0).speedUp, 5.0);
    EXPECT_DOUBLE_EQ(*measured(named(all, "spectral"), parts, seconds, 0).quantity, 5.0);
    EXPECT_DOUBLE_EQ(*measured(named(all, "backward"), parts, seconds, 0).quantity, 0.2);
    EXPECT_FALSE(measured(named(all, "sharing"), parts, seconds, 0).speedUp.has_value());
    EXPECT_DOUBLE_EQ(*measured(named(all, "mfu"), parts, seconds, flops / 5).quantity, 0.5);
    seconds.assign(parts.size(), 0.0);
    EXPECT_FALSE(measured(named(all, "spectral"), parts, seconds, 0).speedUp.has_value());
}

TEST(ClaimSizes, OutOfRangeAreRefusedWithTheRange)
{
    EXPECT_EQ(validated(ClaimSizes{.dModel = 1}).error().message, "d 1: must be 8 to 65536");
    EXPECT_EQ(validated(ClaimSizes{.tokens = 0}).error().message, "tokens 0: must be 1 to 1048576");
    EXPECT_TRUE(validated(ClaimSizes{}).ok());
}

TEST(ClaimRange, IsWrittenAsPeopleSayIt)
{
    EXPECT_EQ((ClaimRange{3, 10}.text()),
              "3\xE2\x80\x93"
              "10\xC3\x97");
    EXPECT_EQ((ClaimRange{20}.text()), "> 20\xC3\x97");
    EXPECT_EQ((ClaimRange{1.5, 1.5}.text()), "1.5\xC3\x97");
    EXPECT_EQ((ClaimRange{0.4, 0.6}.text()),
              "40\xE2\x80\x93"
              "60 %");
    EXPECT_EQ(timesText(1.499), "1.5\xC3\x97");
    EXPECT_EQ(timesText(13.66), "13.7\xC3\x97");
    EXPECT_EQ(timesText(2.0), "2.0\xC3\x97");
}

} // namespace
} // namespace flopsmith
