// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/exercise/exercise_play.h"
#include "core/exercise/exercise_reading.h"
#include "core/exercise/grading.h"
#include "tests/fuzz/target.h"

namespace flopsmith {
namespace {

// What is read reads back the same when it is written; its release has the same digest, and an answer
// to it is graded.
void tryExercise(const std::string& text)
{
    const Result<Exercise> exercise = readExercise(text, "file");
    if (!exercise) {
        FLOPSMITH_CHECK(!exercise.error().message.empty());
        return;
    }
    FLOPSMITH_CHECK(readExercise(exerciseJson(*exercise), "again").value() == *exercise);
    const Result<ExerciseMarker> marker = ExerciseMarker::create(*exercise, 100);
    if (!marker) {
        FLOPSMITH_CHECK(!marker.error().message.empty());
        return;
    }
    const Exercise release = released(*exercise).value();
    FLOPSMITH_CHECK(readExercise(exerciseJson(release), "release").value() == release);
    FLOPSMITH_CHECK(exerciseDigest(release).value() == marker->digest());
    ExercisePlay play(*marker, "en");
    play.countTry();
    const ExerciseAnswer answer = play.answer(play.start(), "", "");
    const std::vector<GradeRow> rows =
        gradedAnswer(*marker, readAnswer(answerJson(answer), "answer"), "answer");
    FLOPSMITH_CHECK(rows.size() == exercise->checks.size());
}

void tryAnswer(const std::string& text)
{
    const Result<ExerciseAnswer> answer = readAnswer(text, "file");
    if (!answer) {
        FLOPSMITH_CHECK(!answer.error().message.empty());
        return;
    }
    FLOPSMITH_CHECK(readAnswer(answerJson(*answer), "again").value() == *answer);
}

} // namespace
} // namespace flopsmith

// The file of an exercise or of an answer.
FLOPSMITH_FUZZ_READER(exercise)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "file");
    if (!text) {
        FLOPSMITH_CHECK(!text.error().message.empty());
        return 0;
    }
    tryExercise(*text);
    tryAnswer(*text);
    return 0;
}
