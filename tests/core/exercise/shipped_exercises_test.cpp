// SPDX-License-Identifier: GPL-3.0-or-later
// The exercises of resources/exercises.
#include "core/base/file_suffix.h"
#include "core/exercise/exercise_check.h"
#include "core/exercise/exercise_marks.h"
#include "core/exercise/exercise_reading.h"
#include "core/exercise/installed_exercises.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

std::vector<Exercise> shippedExercises()
{
    std::vector<Exercise> exercises;
    for (const InstalledText& installed : installedExercises()) {
        const Result<Exercise> exercise =
            readExercise(installed.text, std::string(installed.fileName));
        EXPECT_TRUE(exercise.ok()) << (exercise ? "" : exercise.error().message);
        exercises.push_back(exercise ? *exercise : Exercise{});
    }
    return exercises;
}

TEST(ShippedExercises, AreThreeNamedByTheirPlaceAndId)
{
    const std::vector<Exercise> exercises = shippedExercises();

    ASSERT_EQ(exercises.size(), 3U);
    for (std::size_t i = 0; i < exercises.size(); ++i) {
        EXPECT_EQ(installedExercises()[i].fileName,
                  "0" + std::to_string(i + 1) + "-" + exercises[i].id
                      + std::string(kExerciseSuffix));
        EXPECT_EQ(exerciseNamed(exercises[i].id).value(), exercises[i]);
    }
}

// Goldens are equal, texts are there in both languages, and full points can be reached.
TEST(ShippedExercises, AreRight)
{
    for (const Exercise& exercise : shippedExercises()) {
        for (const std::string& problem : checkExercise(exercise)) {
            ADD_FAILURE() << exercise.id << ": " << problem;
        }
        EXPECT_TRUE(exercise.texts.contains("en") && exercise.texts.contains("de"));
    }
}

TEST(ShippedExercises, ReleaseToOthersOfTheSameDigest)
{
    for (const Exercise& exercise : shippedExercises()) {
        const Result<Exercise> release = released(exercise);
        ASSERT_TRUE(release.ok()) << release.error().message;
        EXPECT_EQ(exerciseDigest(*release).value(), exerciseDigest(exercise).value());
    }
}

TEST(ShippedExercises, TheOwnWidthKeepsTheTiesOfItsStart)
{
    const Result<Project> start = projectOf(exerciseNamed("your-own-crossing").value().start);

    ASSERT_TRUE(start.ok()) << start.error().message;
    EXPECT_EQ(start->rules.ties.size(), 2U);
    EXPECT_EQ(start->lens, LensId::matmul);
}

} // namespace
} // namespace flopsmith
