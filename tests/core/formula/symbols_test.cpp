// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/formula.h"
#include "core/formula/legend.h"
#include "core/model/model_cost.h"
#include "core/model/parameter_table.h"
#include "core/model/presets.h"

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
