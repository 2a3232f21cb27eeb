// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exercise/exercise_reading.h"

#include <gtest/gtest.h>

#include <string>

namespace flopsmith::test {

/// One check of each kind: a predicate, a number that is the same for all, and one of the design.
inline const std::string& sampleExerciseText()
{
    static const std::string kText = R"json({
  "comment": "ignored",
  "flopsmith_exercise": 1,
  "id": "sample",
  "texts": {
    "en": {"title": "Sample", "summary": "Three checks.", "task": "{value('d_model')} is the width.",
           "blocks": "At most six blocks.", "width": "How wide is it?", "double": "Twice as wide?",
           "hint": "Use the slider.", "wrong": "Still too many.", "why": "Why?"},
    "de": {"title": "Beispiel", "summary": "Drei Prüfungen.", "task": "{value('d_model')} breit.",
           "blocks": "Höchstens sechs Blöcke.", "width": "Wie breit ist es?", "double": "Doppelt so breit?",
           "hint": "Den Regler benutzen.", "wrong": "Noch zu viele.", "why": "Warum?"}
  },
  "salt": "autumn",
  "start": {"preset": "gpt2", "set": {"seq": 1024}},
  "checks": [
    {"id": "blocks", "points": 2, "text": "blocks", "predicate": "value('layers') <= 6",
     "hint": "hint", "hint_after": 2, "wrong": "wrong"},
    {"id": "width", "points": 3, "text": "width",
     "number": {"unit": "features", "digits": 3, "tolerance": 0.01, "expression": "value('d_model')", "golden": "768"}},
    {"id": "double", "text": "double",
     "number": {"digits": 4, "of": "design", "expression": "2*value('layers')", "golden": "12"}}
  ],
  "question": "why",
  "solution": {"preset": "gpt2", "set": {"layers": "6"}}
})json";
    return kText;
}

inline Exercise sampleExercise()
{
    const Result<Exercise> exercise = readExercise(sampleExerciseText(), "sample");
    EXPECT_TRUE(exercise.ok()) << (exercise ? "" : exercise.error().message);
    return exercise ? *exercise : Exercise{};
}

/// The design of a preset with so many blocks.
inline Project designWithBlocks(int blocks)
{
    const Result<Project> project =
        projectOf({.preset = "gpt2", .set = {{"layers", std::to_string(blocks)}}});
    EXPECT_TRUE(project.ok()) << (project ? "" : project.error().message);
    return project ? *project : Project{};
}

} // namespace flopsmith::test
