// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/fast_engine.h"
#include "core/json/json_text.h"
#include "tests/core/torch/torch_curves.h"
#include "tests/support/torch_lane.h"

#include <gtest/gtest.h>

#include <iostream>

// The same training here and by PyTorch: `./dev test torch` names the Python that has it.
namespace flopsmith {
namespace {

using Cases = std::vector<test::CurveCase>;

class TorchLaneCurves : public test::BesideTorchTest
{
protected:
    std::string folderOf(const test::CurveCase& each) const { return folder() / each.name; }

    torch::Training written(const test::CurveCase& each,
                            const test::CurveSizes& sizes,
                            std::int64_t steps,
                            bool isDouble) const
    {
        const torch::Training training = test::curveTraining(each, sizes, steps, isDouble);
        const std::string place = folderOf(each);
        std::filesystem::create_directories(place);
        for (const Status& done :
             {torch::writeTraining(place, training), torch::writeTrainingModel(place, training)}) {
            EXPECT_TRUE(done.ok()) << each.name << ": " << done.error().message;
        }
        return training;
    }

    void trainByTorch() const
    {
        ASSERT_TRUE(scriptRuns("lab/torch_trainer.py", "'" + folder().string() + "'"))
            << "the trainings are left in " << folder();
    }

    // Trains all here and there; every curve must be as near.
    template <class S>
    void compare(const Cases& cases,
                 const test::CurveSizes& sizes,
                 std::int64_t steps,
                 const Engine<S>& engine,
                 double most) const
    {
        constexpr bool isDouble = std::is_same_v<S, double>;
        std::vector<std::vector<double>> here;
        for (const test::CurveCase& each : cases) {
            here.push_back(test::curveHere<S>(written(each, sizes, steps, isDouble), engine));
        }
        trainByTorch();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto there = test::curveOf(folderOf(cases[i]) + "/curve.json");
            const std::int64_t compared =
                !isDouble && cases[i].chooses ? std::min(steps, test::kStepsOfChoices) : steps;
            const double apart = test::distance(here[i], there, compared);
            EXPECT_LE(apart, most) << cases[i].name;
            std::cout << cases[i].name << ": " << compared << " steps, largest |Δ| " << apart
                      << ", loss " << there.front() << " → " << there.back();
            const std::int64_t step = test::firstApart(here[i], there, most);
            std::cout << (step > 0 ? ", apart from step " + std::to_string(step) : "") << "\n";
        }
    }
};

TEST_F(TorchLaneCurves, AreEqualInDouble)
{
    compare<double>(test::curveCases({}),
                    {},
                    test::kStepsInDouble,
                    referenceEngine<double>(),
                    test::kMaxApartInDouble);
}

Cases nanoCases()
{
    Cases cases = test::curveCases(test::nanoSizes());
    std::erase_if(cases, [](const test::CurveCase& each) { return each.chooses; });
    return cases;
}

// What chooses is compared in double alone: a tie within rounding falls otherwise on other processors,
// and a step of nano chooses for 2,048 tokens.
TEST_F(TorchLaneCurves, OfNanoAreEqual)
{
    compare<float>(nanoCases(),
                   test::nanoSizes(),
                   test::kNanoSteps,
                   fastEngine(cpu::Threads{1}),
                   test::kMaxApart);
}

TEST_F(TorchLaneCurves, AreThoseThatAreKept)
{
    const bool writes = std::getenv("FLOPSMITH_WRITE_CURVES") != nullptr;
    const Cases cases = test::curveCases({});
    for (const test::CurveCase& each : cases) {
        written(each, {}, test::kCurveSteps, false);
    }
    trainByTorch();
    for (const test::CurveCase& each : cases) {
        const auto losses = test::curveOf(folderOf(each) + "/curve.json");
        if (writes) {
            const Json json{{"version", 1}, {"variant", each.name}, {"losses", losses}};
            std::ofstream(test::goldenPath(each.name)) << jsonText(json) << "\n";
        }
        const auto kept = test::curveOf(test::goldenPath(each.name));
        const std::int64_t compared = each.chooses ? test::kStepsOfChoices : test::kCurveSteps;
        EXPECT_LE(test::distance(losses, kept, compared), test::kMaxApart) << each.name;
    }
}

} // namespace
} // namespace flopsmith
