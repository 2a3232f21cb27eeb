// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/formula/formula.h"
#include "core/formula/legend.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "tests/core/formula/evaluated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

// A letter means in a formula what it means in the inspector.
namespace flopsmith {
namespace {

std::string baseOf(const std::string& name)
{
    const std::size_t line = name.rfind('_');
    const bool numbered = line != std::string::npos && line + 1 < name.size()
        && std::all_of(name.begin() + static_cast<std::ptrdiff_t>(line) + 1,
                       name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
    return numbered ? name.substr(0, line) : name;
}

// Every part that the tree of a model has as a group, the model included.
std::vector<std::string> partsOf(const Scenario& scenario)
{
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);
    std::vector<std::string> parts{"model"};
    for (int i = 1; i < tree.size(); ++i) {
        if (tree.node(i).kind == OpKind::group) {
            parts.push_back(tree.path(i));
        }
    }
    return parts;
}

std::vector<Scenario> scenarios()
{
    std::vector<Scenario> all;
    for (const Preset& preset : presets()) {
        all.push_back({*presetNamed(preset.id), {}});
    }
    return all;
}

const FormulaSymbol* symbolOf(const Formula& formula, std::string_view name)
{
    const auto found = std::find_if(formula.symbols.begin(),
                                    formula.symbols.end(),
                                    [&](const FormulaSymbol& s) { return s.name == name; });
    return found == formula.symbols.end() ? nullptr : &*found;
}

TEST(FormulaSymbols, AreThoseOfTheParameterTable)
{
    for (const Scenario& scenario : scenarios()) {
        const std::vector<Parameter> table = allParameters(scenario);
        for (const std::string& part : partsOf(scenario)) {
            const Result<Formula> formula = formulaOf(scenario, part, LensId::exact);
            ASSERT_TRUE(formula.ok()) << part << ": " << formula.error().message;
            for (const FormulaSymbol& symbol : formula->symbols) {
                EXPECT_FALSE(symbol.meaning.empty())
                    << scenario.model.name << " " << part << ": " << symbol.name;
                bool known = false;
                bool isSame = false;
                for (const Parameter& parameter : table) {
                    if (parameter.applies(scenario) && parameter.text.symbol == baseOf(symbol.name)
                        && parameter.text.help == symbol.meaning) {
                        known = true;
                        isSame = isSame
                            || parameter.value(scenario)
                                == FieldValue(static_cast<std::int64_t>(symbol.value));
                    }
                }
                EXPECT_TRUE(isSame || !known) << scenario.model.name << " " << part << ": "
                                              << symbol.name << " = " << digits(symbol.value);
            }
        }
    }
}

TEST(FormulaSymbols, CallARunsRepeatNAndAllLayersL)
{
    const Scenario half{*presetNamed("gpt2-half-swapped"), {}};

    const Formula exact = *formulaOf(half, "", LensId::exact);
    const Formula plain = *formulaOf({*presetNamed("gpt2"), {}}, "", LensId::exact);

    ASSERT_NE(symbolOf(exact, "N"), nullptr);
    EXPECT_TRUE(symbolOf(exact, "N")->value == 6);
    EXPECT_EQ(symbolOf(exact, "N")->meaning, "equal blocks in this run");
    EXPECT_EQ(symbolOf(exact, "L"), nullptr);
    ASSERT_NE(symbolOf(plain, "L"), nullptr);
    EXPECT_TRUE(symbolOf(plain, "L")->value == 12);
    EXPECT_EQ(symbolOf(plain, "L")->meaning, "blocks in the stack");
}

// GPT-2 with another width of the hidden layer in every block, and every second one gated.
Scenario manyWidths()
{
    Scenario scenario{*presetNamed("gpt2"), {}};
    const Block block = scenario.model.runs.front().block;
    scenario.model.runs.clear();
    for (int i = 0; i < 12; ++i) {
        BlockRun run{block, 1 + i % 2};
        const int width = 1024 + 64 * i;
        run.block.ffn = i % 2 == 0 ? FfnSpec(DenseFfn{.dFf = width}) : GatedFfn{.dFf = width};
        scenario.model.runs.push_back(run);
    }
    return scenario;
}

TEST(FormulaSums, ManyDifferentBlocksStandInOneSumPerKind)
{
    const Formula whole = *formulaOf(manyWidths(), "", LensId::mac);

    EXPECT_EQ(whole.text,
              "sum_i(4*d^2*N_i*B*S + 2*d*f_i*N_i*B*S + 2*d*N_i*B*S^2) + "
              "sum_j(4*d^2*N_j*B*S + 3*d*f_j*N_j*B*S + 2*d*N_j*B*S^2) + d*V*B*S");
    EXPECT_THAT(whole.latex, testing::StartsWith("\\sum_{i}\\left(4\\,d^{2}\\,N_{i}"));
    ASSERT_NE(symbolOf(whole, "f_i"), nullptr);
    EXPECT_EQ(symbolOf(whole, "f_i")->values, "1024 to 1664");
    EXPECT_EQ(symbolOf(whole, "f_i")->meaning, "width of the hidden layer");
    EXPECT_EQ(symbolOf(whole, "f_j")->values, "1088 to 1728");
    ASSERT_NE(symbolOf(whole, "i"), nullptr);
    EXPECT_TRUE(symbolOf(whole, "i")->value == 6);
    EXPECT_EQ(symbolOf(whole, "d")->values, "");
}

TEST(FormulaSums, HaveTheValueOfTheModelUnderEveryLensOfOperations)
{
    const Scenario scenario = manyWidths();
    for (const Lens& each : lenses()) {
        if (each.isFormula()) {
            continue;
        }
        const Formula whole = *formulaOf(scenario, "", each.id);
        const CostTree<Count> tree = costTree(scenario, each.pairs);
        EXPECT_THAT(whole.text, testing::StartsWith("sum_i(")) << each.name;
        EXPECT_TRUE(whole.value == pricedPart(each.id, tree, 0)) << each.name;
        const test::Evaluated numbers = test::TextEvaluator(whole.numbers).sum();
        EXPECT_TRUE(numbers.isWhole() && numbers.numerator == whole.value) << each.name;
    }
}

TEST(FormulaSums, FewDifferentBlocksKeepTheirNumbers)
{
    Scenario scenario = manyWidths();
    scenario.model.runs.resize(4);

    const Formula whole = *formulaOf(scenario, "", LensId::mac);

    EXPECT_THAT(whole.text, testing::Not(testing::HasSubstr("sum")));
    EXPECT_THAT(whole.text, testing::HasSubstr("f_4"));
}

TEST(FormulaLegend, SaysSymbolMeaningAndValue)
{
    const Formula ffn =
        *formulaOf({*presetNamed("gpt2-half-swapped"), {}}, "polynomial", LensId::exact);

    EXPECT_EQ(legendText(ffn),
              "  K = highest power = 3\n"
              "  s = round(rho*d) = 384\n"
              "  B = sequences at once = 1\n"
              "  S = tokens per sequence = 1024\n");
    EXPECT_EQ(legendLatex(ffn),
              "\\begin{tabular}{lll}\n"
              "$K$ & $=$ highest power & $= 3$ \\\\\n"
              "$s$ & $=$ round(rho*d) & $= 384$ \\\\\n"
              "$B$ & $=$ sequences at once & $= 1$ \\\\\n"
              "$S$ & $=$ tokens per sequence & $= 1024$ \\\\\n"
              "\\end{tabular}\n");
}

TEST(FormulaLegend, OfAFormulaWithoutLettersIsEmpty)
{
    const Formula nothing = *formulaOf({*presetNamed("gpt2"), {}}, "mixer_norm", LensId::matmul);

    EXPECT_EQ(legendText(nothing), "");
    EXPECT_EQ(legendLatex(nothing), "");
}

} // namespace
} // namespace flopsmith
