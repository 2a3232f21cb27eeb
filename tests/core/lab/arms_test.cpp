// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/plan/arms.h"

#include "core/ffn/ffn_variants.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

Arm namedArm(const std::string& name, int dModel)
{
    return {.name = name, .ffn = armNamed(name, dModel).value()};
}

const Arm* armOf(const std::vector<Arm>& arms, std::string_view name)
{
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&](const Arm& arm) { return arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

TEST(Arms, AreLegalAtEveryWidth)
{
    for (const int d : {2, 7, 8, 12, 64}) {
        std::vector<Arm> all;
        for (const ArmName& name : armNames()) {
            all.push_back(namedArm(std::string(name.name), d));
        }
        const auto compared = comparedArms(all, d);
        EXPECT_TRUE(compared.ok()) << d << ": " << compared.error().message;
    }
}

TEST(Arms, AlwaysHaveTheirCompany)
{
    const std::vector<Arm> arms = comparedArms({namedArm("spectral", 64)}, 64).value();

    ASSERT_EQ(arms.size(), 4U);
    EXPECT_EQ(arms[0].role, ArmRole::chosen);
    ASSERT_NE(armOf(arms, "none"), nullptr);
    ASSERT_NE(armOf(arms, "linear"), nullptr);
    EXPECT_EQ(armOf(arms, "none")->role, ArmRole::control);
    const Arm* rival = armOf(arms, arms[0].rival);
    ASSERT_NE(rival, nullptr);
    EXPECT_EQ(rival->role, ArmRole::narrowed);
    EXPECT_TRUE(holds_alternative<DenseFfn>(rival->ffn));
}

TEST(Arms, GiveDenseOnesNoRivalAndShareRivals)
{
    const std::vector<Arm> arms =
        comparedArms({namedArm("dense", 64), namedArm("dense_f16", 64)}, 64).value();
    EXPECT_EQ(arms.size(), 4U);
    EXPECT_TRUE(arms[0].rival.empty());

    Arm twin = namedArm("gated", 64);
    twin.name = "twin";
    const std::vector<Arm> twins = comparedArms({namedArm("gated", 64), twin}, 64).value();
    EXPECT_EQ(twins[0].rival, twins[1].rival);
    EXPECT_EQ(twins.size(), 5U);
}

TEST(Arms, NarrowADenseOneToTheCost)
{
    for (const char* name :
         {"gated", "low_rank", "kronecker4", "monarch", "token_feedback", "moe"}) {
        const FfnSpec ffn = armNamed(name, 64).value();
        const DenseFfn narrowed = narrowedDense(ffn, 64);
        const double wanted = ffnFlopsPerToken(ffn, 64);

        EXPECT_LE(ffnFlopsPerToken(narrowed, 64), wanted) << name;
        EXPECT_GT(ffnFlopsPerToken(DenseFfn{.dFf = narrowed.dFf + 1}, 64), wanted) << name;
    }
    EXPECT_EQ(narrowedDense(DenseFfn{.dFf = 100}, 64).dFf, 100);
    EXPECT_EQ(narrowedDense(NoFfn{}, 64).dFf, 1);
    EXPECT_EQ(ffnFlopsPerToken(NoFfn{}, 64), 0.0);
}

TEST(Arms, DropNothing)
{
    const FfnSpec ultra = armNamed("ultra", 64).value();
    EXPECT_FALSE(get<ComposedFfn>(ultra).drops());

    const std::vector<Arm> arms =
        comparedArms(
            {{.name = "mine", .ffn = ComposedFfn{.dropout = 0.5, .stages = {{DenseFfn{}}}}}}, 64)
            .value();
    EXPECT_FALSE(get<ComposedFfn>(arms[0].ffn).drops());
}

TEST(Arms, RefuseWhatCannotBeCompared)
{
    const auto refusal = [](const std::vector<Arm>& chosen) {
        const auto arms = comparedArms(chosen, 64);
        return arms ? std::string() : arms.error().message;
    };

    EXPECT_NE(refusal({namedArm("gated", 64), namedArm("gated", 64)}).find("twice"),
              std::string::npos);
    EXPECT_NE(refusal({{.name = "low", .ffn = LowRankFfn{.rank = 65}}}).find("rank"),
              std::string::npos);
    EXPECT_NE(refusal({{.name = "none", .ffn = DenseFfn{}}}).find("name"), std::string::npos);
    EXPECT_NE(refusal({{.name = "dense_f8", .ffn = GatedFfn{}}}).find("name"), std::string::npos);
    EXPECT_NE(refusal({{.name = "empty", .ffn = ComposedFfn{}}}).find("stages"), std::string::npos);
    EXPECT_FALSE(armNamed("magic", 64).ok());
    EXPECT_FALSE(armNamed("dense_f0", 64).ok());
    EXPECT_FALSE(armNamed("dense_f12x", 64).ok());
    EXPECT_EQ(get<DenseFfn>(armNamed("dense_f12", 64).value()).dFf, 12);
}

TEST(Arms, TellOfARouterWithoutGradient)
{
    const Arm stuck{.name = "stuck", .ffn = MoeFfn{.perToken = 1, .renormalise = true}};

    EXPECT_EQ(armNotes(stuck, 64).size(), 1U);
    EXPECT_TRUE(armNotes(namedArm("moe", 64), 64).empty());
    const std::vector<Arm> arms = comparedArms({namedArm("micro_refine", 64)}, 64).value();
    EXPECT_EQ(armNotes(arms[0], 64).size(), 1U);
}

} // namespace
} // namespace flopsmith
