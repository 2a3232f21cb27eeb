// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/validation.h"
#include "core/study/variation/variation.h"
#include "tests/support/random_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// A variation judges only the parts of a scenario that differ from its base. That must be as good
// as to judge all of them.
namespace flopsmith {
namespace {

template <class Element>
const Element& randomOf(const std::vector<Element>& all)
{
    return all[*rc::gen::inRange<std::size_t>(0, all.size())];
}

bool everyValueIsLegal(const Scenario& scenario)
{
    const std::vector<Parameter> all = allParameters(scenario);
    return std::all_of(all.begin(), all.end(), [&](const Parameter& p) {
        return !p.applies(scenario) || p.legal(scenario).contains(p.value(scenario));
    });
}

// Ties between numbers, of which the first may follow the second.
std::vector<Tie> perhapsATie(const std::string& follower, const std::string& source)
{
    const double factor = *rc::gen::inRange(1, 9) / 4.0;
    return *rc::gen::arbitrary<bool>() ? std::vector<Tie>{{follower, factor, source}}
                                       : std::vector<Tie>{};
}

// Stops of one parameter, legal by themselves, make another's value illegal.
TEST(Variation, JudgesTheChangedPartsAsItWouldJudgeAll)
{
    int illegal = 0;
    EXPECT_TRUE(rc::check("a quick verdict is the full one", [&illegal] {
        const Scenario base = test::randomScenario();
        std::vector<Parameter> usable = allParameters(base);
        usable.erase(std::remove_if(usable.begin(),
                                    usable.end(),
                                    [&](const Parameter& p) {
                                        return !p.applies(base) || p.text.key == "share_group";
                                    }),
                     usable.end());
        const Parameter first = randomOf(usable);
        const Parameter second =
            *rc::gen::arbitrary<bool>() ? randomOf(usable) : usable.at(usable.size() / 2);
        const auto variation = Variation::create(
            base,
            {first.key, second.key},
            perhapsATie(randomOf(usable).key, *rc::gen::arbitrary<bool>() ? first.key : "d_model"));
        RC_PRE(variation.ok());
        for (int point = 0; point < 8; ++point) {
            const Scenario scenario = variation->at(
                {randomOf(first.legal(base).stops()), randomOf(second.legal(base).stops())});
            const bool legal = everyValueIsLegal(scenario);
            illegal += legal ? 0 : 1;
            const Status whole = legal ? Status(Done{}) : validated(scenario);
            const std::string expected = whole.ok() ? std::string{} : whole.error().message;
            RC_ASSERT(variation->problem(scenario) == expected);
            RC_ASSERT(legal == expected.empty());
        }
    }));
    EXPECT_GT(illegal, 0);
}

TEST(Variation, JudgesEveryParameterThatAPartDecidesByThatPartAlone)
{
    EXPECT_TRUE(rc::check("what another part is changes no verdict", [] {
        const Scenario base = test::randomScenario();
        const std::vector<Parameter> all = allParameters(base);
        const Parameter& changed = randomOf(all);
        RC_PRE(changed.applies(base));
        Scenario other = base;
        changed.assign(other, randomOf(changed.legal(base).stops()));
        RC_PRE(other.model.runs.size() == base.model.runs.size());
        for (const Parameter& parameter : all) {
            if (parameter.scope.part == ParameterScope::Part::scenario
                || !isSameIn(parameter.scope, base, other)) {
                continue;
            }
            RC_ASSERT(parameter.applies(base) == parameter.applies(other));
            RC_ASSERT(parameter.value(base) == parameter.value(other));
            if (parameter.applies(base)) {
                RC_ASSERT(parameter.legal(base).text() == parameter.legal(other).text());
            }
        }
    }));
}

TEST(Variation, LooksAtNoValueOfARuleThatHoldsAlways)
{
    EXPECT_TRUE(rc::check("flags and names of enumerations are legal", [] {
        const Scenario scenario = test::randomScenario();
        const std::vector<Parameter> all = allParameters(scenario);
        Scenario other = scenario;
        const Parameter& changed = randomOf(all);
        RC_PRE(changed.applies(scenario));
        changed.assign(other, randomOf(changed.legal(scenario).stops()));
        for (const Parameter& parameter : allParameters(other)) {
            if (parameter.legal.holdsAlways() == HoldsAlways::yes) {
                RC_ASSERT(parameter.legal(other).contains(parameter.value(other)));
            }
        }
    }));
}

} // namespace
} // namespace flopsmith
