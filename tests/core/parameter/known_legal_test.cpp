// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

#include <future>

namespace flopsmith {
namespace {

struct Verdict
{
    std::vector<Problem> problems;
    Scenario repaired;

    bool operator==(const Verdict&) const = default;
};

Verdict verdictOn(const Scenario& scenario)
{
    Verdict verdict{problems(scenario), scenario};
    repair(verdict.repaired);
    return verdict;
}

// A new thread knows no legal scenario, so it judges every value.
Verdict verdictOnNewThread(const Scenario& scenario)
{
    return std::async(std::launch::async, [&scenario] { return verdictOn(scenario); }).get();
}

// Of a value just below and above its bounds too, which are illegal.
std::vector<FieldValue> valuesOf(const LegalValues& legal)
{
    std::vector<FieldValue> values = legal.stops();
    if (values.size() > 4) {
        values = {values.front(), values[values.size() / 2], values.back()};
    }
    if (!values.empty() && std::holds_alternative<std::int64_t>(values.front())) {
        values.emplace_back(static_cast<std::int64_t>(legal.low()) - 1);
        values.emplace_back(static_cast<std::int64_t>(legal.high()) + 1);
        values.emplace_back(std::get<std::int64_t>(values.front()) + 1);
    }
    return values;
}

TEST(KnownLegal, ChangesNoVerdict)
{
    for (const char* preset :
         {"gpt2-half-swapped", "tiny", "t5-small", "mixtral-8x7b", "vit-base-patch16-224"}) {
        const Scenario base{.model = *presetNamed(preset), .workload = {.sequence = 64}};
        Scenario scenario = base;
        for (const Parameter& parameter : allParameters(base)) {
            for (const FieldValue& value : valuesOf(parameter.legal(base))) {
                parameter.assign(scenario, value); // on top of the illegal values of before
                const Verdict verdict = verdictOn(scenario);
                EXPECT_EQ(verdict, verdictOnNewThread(scenario)) << preset << " " << parameter.key;
                EXPECT_EQ(problems(verdict.repaired).size(),
                          verdictOnNewThread(verdict.repaired).problems.size());
            }
            scenario = base;
        }
    }
}

TEST(KnownLegal, LeavesAnIllegalPhaseToBeRepaired)
{
    Scenario scenario{.model = *presetNamed("fnet-base"), .workload = {.sequence = 64}};
    scenario.workload.phase = Phase::decode;
    EXPECT_FALSE(validated(scenario).ok());

    repair(scenario);

    EXPECT_TRUE(validated(scenario).ok());
    EXPECT_NE(scenario.workload.phase, Phase::decode);
}

} // namespace
} // namespace flopsmith
