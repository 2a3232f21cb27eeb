// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/formula.h"

#include "core/ffn/moe.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Scenario preset(std::string_view id)
{
    return {*presetNamed(id), {}};
}

Formula formula(const Scenario& scenario,
                std::string_view part,
                LensId lens,
                const std::vector<std::string>& simplify = {})
{
    const Result<Formula> result = formulaOf(scenario, part, lens, simplify);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? result.value() : Formula{};
}

std::string text(const Scenario& scenario,
                 std::string_view part,
                 LensId lens,
                 const std::vector<std::string>& simplify = {})
{
    return formula(scenario, part, lens, simplify).text;
}

std::string problem(const Scenario& scenario,
                    std::string_view part,
                    const std::vector<std::string>& simplify = {})
{
    const Result<Formula> result = formulaOf(scenario, part, LensId::exact, simplify);
    EXPECT_FALSE(result.ok()) << (result.ok() ? result.value().text : "");
    return result.ok() ? "" : result.error().message;
}

Scenario withAttention(const Attention& attention)
{
    Scenario scenario = preset("gpt2");
    scenario.model.runs.front().block.mixer = attention;
    return scenario;
}

TEST(Formula, OfALensThatIsAFormulaIsThatFormula)
{
    EXPECT_EQ(text(preset("gpt2"), "", LensId::yu), "24*d^2*L*B*S + 4*d*L*B*S^2");
    EXPECT_EQ(text(preset("gpt2"), "model", LensId::megatron),
              "24*d^2*L*B*S + 2*d*V*B*S + 4*d*L*B*S^2");
    for (const Lens& each : lenses()) {
        const Formula whole = formula(preset("gpt2-half-swapped"), "", each.id);
        const Scenario scenario = preset("gpt2-half-swapped");
        const CostTree<Count> tree = costTree(scenario, each.pairs);
        EXPECT_TRUE(whole.value == summary(tree, scenario, each.id).flops) << each.name;
    }
}

TEST(Formula, OfALensThatIsAFormulaHasNoParts)
{
    const Result<Formula> part = formulaOf(preset("gpt2"), "attention", LensId::kaplan);

    ASSERT_FALSE(part.ok());
    EXPECT_EQ(part.error().message,
              "the lens kaplan is a formula for the whole model and has none for \"attention\"; "
              "leave the part out, or take another lens");
}

TEST(Formula, OfTheStandardBlockIsTheClassicalOne)
{
    const Formula block = formula(preset("gpt2"), "block", LensId::matmul, {"f=4d"});

    EXPECT_EQ(block.path, "blocks[0]");
    EXPECT_EQ(block.text, "24*d^2*B*S + 4*d*B*S^2");
    EXPECT_EQ(block.latex, "24\\,d^{2}\\,B\\,S + 4\\,d\\,B\\,S^{2}");
    EXPECT_EQ(block.numbers, "24*768^2*1*1024 + 4*768*1*1024^2");
    EXPECT_EQ(digits(block.value), "17716740096");
    EXPECT_FALSE(block.nominal);
}

TEST(Formula, OfTheExactBlockHasEveryTerm)
{
    EXPECT_EQ(text(preset("gpt2"), "block", LensId::exact),
              "8*d^2*B*S + 4*d*f*B*S + 2*d*B*S^2 + 23*d*B*S + 10*f*B*S + 3*H*B*S^2 + H*B*S + "
              "6*B*S");
    EXPECT_EQ(text(preset("gpt2"), "block", LensId::mac), "4*d^2*B*S + 2*d*f*B*S + 2*d*B*S^2");
}

TEST(Formula, OfAWholeModelRepeatsItsBlocks)
{
    EXPECT_EQ(text(preset("gpt2"), "", LensId::matmul, {"f=4d"}),
              "24*d^2*L*B*S + 2*d*V*B*S + 4*d*L*B*S^2");
}

TEST(Formula, ChargesCausalAttentionThePairsOfItsMask)
{
    const Scenario causal = preset("gpt2");

    EXPECT_EQ(text(causal, "scores", LensId::mac), "d*B*S^2");
    EXPECT_EQ(formulaOf(causal, "scores", LensId::mac, {}, PairsRule::exact)->text,
              "1/2*d*B*S^2 + 1/2*d*B*S");
    EXPECT_EQ(formulaOf(causal, "scores", LensId::mac, {}, PairsRule::exact)->latex,
              "\\frac{1}{2}\\,d\\,B\\,S^{2} + \\frac{1}{2}\\,d\\,B\\,S");
    EXPECT_EQ(formulaOf(causal, "scores", LensId::mac, {}, PairsRule::half)->text, "1/2*d*B*S^2");
}

TEST(Formula, CountsTheGrowingPartOfAWindow)
{
    Scenario windowed = withAttention({.window = 256});

    EXPECT_EQ(formulaOf(windowed, "scores", LensId::mac, {}, PairsRule::exact)->text,
              "-1/2*d*w^2*B + d*w*B*S + 1/2*d*w*B");

    windowed.workload = {.phase = Phase::decode, .context = 1000};
    EXPECT_EQ(formulaOf(windowed, "scores", LensId::mac, {}, PairsRule::exact)->text, "d*w*B");
}

TEST(Formula, InDecodeGrowsWithTheContext)
{
    Scenario decode = preset("gpt2");
    decode.workload = {.phase = Phase::decode, .batch = 8, .context = 500};

    const Formula block = formula(decode, "block", LensId::matmul, {"f=4d"});

    EXPECT_EQ(block.text, "24*d^2*B + 4*d*B*C");
    EXPECT_EQ(block.numbers, "24*768^2*8 + 4*768*8*500");
}

TEST(Formula, OfGroupedQueriesDividesByTheHeads)
{
    const Formula projections = formula(preset("llama-3-8b"), "qkv_proj", LensId::matmul);

    EXPECT_EQ(projections.text, "2*d^2*B*S + 4*d^2*G*B*S/H");
    EXPECT_EQ(projections.latex, "2\\,d^{2}\\,B\\,S + \\frac{4\\,d^{2}\\,G\\,B\\,S}{H}");
    EXPECT_EQ(projections.numbers, "2*4096^2*1*1024 + 4*4096^2*8*1*1024/32");
    EXPECT_EQ(text(preset("llama-3-8b"), "qkv_proj", LensId::matmul, {"G=H/4"}), "3*d^2*B*S");
}

TEST(Formula, KeepsAnIndependentHeadDimension)
{
    const Scenario wide = withAttention({.heads = 12, .kvHeads = 4, .headDim = 64});

    EXPECT_EQ(text(wide, "attention", LensId::matmul), "4*d*H*h*B*S + 4*d*G*h*B*S + 4*H*h*B*S^2");
    EXPECT_EQ(text(wide, "attention", LensId::matmul, {"H*h=d"}),
              "4*d^2*B*S + 4*d^2*G*B*S/H + 4*d*B*S^2");
}

TEST(Formula, OfEachStageOfUltraEfficientSparseFfn)
{
    const Scenario sparse = preset("gpt2-ultra-efficient");

    const Formula spectral = formula(sparse, "spectral", LensId::exact);
    EXPECT_EQ(spectral.text, "5*d*B*S*log2(d) + 6*k*B*S");
    EXPECT_EQ(spectral.latex, "5\\,d\\,B\\,S\\,\\log_2 d + 6\\,k\\,B\\,S");
    EXPECT_EQ(spectral.numbers, "5*768*1*1024*log2(768) + 6*64*1*1024");
    EXPECT_TRUE(spectral.nominal);
    EXPECT_EQ(text(sparse, "rfft", LensId::exact), "5/2*d*B*S*log2(d)");
    EXPECT_EQ(text(sparse, "ffn/polynomial", LensId::exact), "2*K*s*B*S");
    EXPECT_EQ(formula(sparse, "micro_refine", LensId::exact).latex,
              "d\\,B\\,S + 4\\,s_{\\mu}\\,B\\,S");
    EXPECT_EQ(text(sparse, "ffn/combine", LensId::exact), "5*d*B*S + 9");
}

TEST(Formula, OfAMixtureOfExpertsGrowsWithTheChosenOnes)
{
    Scenario experts = preset("tiny");
    for (BlockRun& run : experts.model.runs) {
        run.block.ffn = MoeFfn{.experts = 8,
                               .perToken = 2,
                               .dFf = 96,
                               .sharedExperts = 2,
                               .sharedDFf = 32,
                               .sharedGate = true};
    }

    EXPECT_EQ(text(experts, "ffn/router", LensId::mac), "d*E*B*S");
    EXPECT_EQ(text(experts, "ffn/experts", LensId::mac), "3*d*f*k*B*S");
    EXPECT_EQ(text(experts, "ffn/shared", LensId::mac), "3*d*f*B*S + d*B*S");
    EXPECT_EQ(text(experts, "ffn/select", LensId::exact), "E*B*S");
}

TEST(Formula, OfAPartThatTheLensDoesNotSeeIsZero)
{
    const Formula norm = formula(preset("gpt2"), "mixer_norm", LensId::matmul);

    EXPECT_EQ(norm.text, "0");
    EXPECT_EQ(norm.latex, "0");
    EXPECT_EQ(norm.numbers, "0");
    EXPECT_TRUE(norm.symbols.empty());
}

TEST(Formula, SimplifiesInsideLogarithms)
{
    Scenario sparse = preset("gpt2-ultra-efficient");

    EXPECT_EQ(text(sparse, "rfft", LensId::exact, {"d=768"}), "1920*B*S*log2(768)");
    EXPECT_EQ(text(sparse, "rfft", LensId::exact, {"d=64H"}), "160*H*B*S*log2(H) + 960*H*B*S");
    EXPECT_EQ(formula(sparse, "rfft", LensId::exact, {"d=k+704"}).latex,
              "\\frac{5}{2}\\,k\\,B\\,S\\,\\log_2 (k + 704) + 1760\\,B\\,S\\,\\log_2 (k + 704)");

    sparse.model.dModel = 1024;
    sparse.model.runs.front().block.mixer = Attention{.heads = 16, .kvHeads = 16};
    EXPECT_EQ(text(sparse, "rfft", LensId::exact, {"d=1024"}), "25600*B*S");
}

TEST(Formula, TellsTwoValuesOfOneLetterApart)
{
    Scenario mixed = preset("gpt2");
    BlockRun narrow = mixed.model.runs.front();
    get<DenseFfn>(narrow.block.ffn).dFf = 1000;
    narrow.repeat = 3;
    mixed.model.runs.push_back(narrow);

    const Formula model = formula(mixed, "model", LensId::mac);

    EXPECT_EQ(model.text,
              "4*d^2*N*B*S + 4*d^2*N_2*B*S + 2*d*f*N*B*S + 2*d*f_2*N_2*B*S + d*V*B*S + "
              "2*d*N*B*S^2 + 2*d*N_2*B*S^2");
    EXPECT_THAT(model.latex, HasSubstr("2\\,d\\,d_{ff,2}\\,N_{2}\\,B\\,S"));
    EXPECT_EQ(model.symbols.at(2),
              (FormulaSymbol{"f_2", "d_{ff,2}", "width of the hidden layer", 1000, {}, "f"}));
    EXPECT_EQ(text(mixed, "model", LensId::mac, {"f=4d", "N=4N_2"}),
              "52*d^2*N_2*B*S + 2*d*f_2*N_2*B*S + d*V*B*S + 10*d*N_2*B*S^2");
}

// A part with one f says "f", even if other blocks have another.
TEST(Formula, NumbersOnlyTheLettersOfItsOwnPart)
{
    Scenario mixed = preset("gpt2");
    BlockRun narrow = mixed.model.runs.front();
    get<DenseFfn>(narrow.block.ffn).dFf = 1000;
    mixed.model.runs.push_back(narrow);

    const Formula second = formula(mixed, "blocks[12]/ffn", LensId::mac);

    EXPECT_EQ(second.text, "2*d*f*B*S");
    EXPECT_EQ(second.numbers, "2*768*1000*1*1024");
}

TEST(Formula, ExplainsItsLetters)
{
    const Formula ffn = formula(preset("gpt2-half-swapped"), "polynomial", LensId::exact);

    EXPECT_EQ(ffn.symbols,
              (std::vector<FormulaSymbol>{{"K", "K", "highest power", 3, {}, "K"},
                                          {"s", "s", "round(rho*d)", 384, {}, "s"},
                                          {"B", "B", "sequences at once", 1, {}, "B"},
                                          {"S", "S", "tokens per sequence", 1024, {}, "S"}}));
}

TEST(Formula, FindsPartsByPathNameOrBlockNumber)
{
    const Scenario half = preset("gpt2-half-swapped");

    EXPECT_EQ(formula(half, "model", LensId::mac).path, "");
    EXPECT_EQ(formula(half, "ffn", LensId::mac).path, "blocks[0]/ffn");
    EXPECT_EQ(formula(half, "blocks[3]/ffn", LensId::mac).path, "blocks[0]/ffn");
    EXPECT_EQ(formula(half, "blocks[11]/ffn/spectral", LensId::mac).path, "blocks[6]/ffn/spectral");
    EXPECT_EQ(formula(half, "ffn/spectral/rfft", LensId::mac).path, "blocks[6]/ffn/spectral/rfft");
}

TEST(Formula, RefusesAnUnknownPart)
{
    EXPECT_EQ(
        problem(preset("gpt2"), "attn"),
        "the model has no part \"attn\"; its parts are model, block, embedding, blocks[0], "
        "blocks[0]/attention, blocks[0]/ffn, final_norm, head and the operations inside them");
    EXPECT_THAT(problem(preset("gpt2"), "blocks[12]"), HasSubstr("no part \"blocks[12]\""));
    EXPECT_THAT(problem(preset("gpt2"), "blocks[-1"), HasSubstr("no part \"blocks[-1\""));
    EXPECT_THAT(problem(preset("gpt2"), "blocks[99999999999]/ffn"), HasSubstr("no part"));
}

TEST(Formula, RefusesAnImpossibleModel)
{
    Scenario impossible = preset("gpt2");
    impossible.model.dModel = 770;

    EXPECT_THAT(problem(impossible, "block"), HasSubstr("d_model"));
}

// GiNaC orders by addresses and by how many symbols were ever made. Addresses differ between
// processes, so the same formulas are tried in others as well.
TEST(FormulaOrder, DoesNotDependOnSymbolsMadeBefore)
{
    const Scenario llama = preset("llama-3-8b");
    const Formula first = formula(llama, "", LensId::exact);

    for (int i = 0; i < 20; ++i) {
        Scenario other = preset(i % 2 == 0 ? "gpt2-half-swapped" : "bert-base");
        other.workload.batch = 1 + i;
        const Formula between = formula(other, "block", LensId::exact);
        EXPECT_FALSE(between.text.empty());
        EXPECT_EQ(formula(llama, "", LensId::exact), first);
    }
}

TEST(FormulaOrder, IsTheSameInEveryProcess)
{
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    // Without the settings of this run: they would report to its file, or select other tests.
    const std::string command = "env -u FLOPSMITH_TEST_REPORT -u FLOPSMITH_TEST_REGEX -u "
                                "GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX '"
        + program + "' --gtest_filter='Formula.Of*' > /dev/null";

    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(std::system(command.c_str()), 0);
    }
}

} // namespace
} // namespace flopsmith
