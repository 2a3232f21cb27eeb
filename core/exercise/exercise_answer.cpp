// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_answer.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/teach/format/format_reader.h"

namespace flopsmith {
namespace {

constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20U;
constexpr std::size_t kMaxEntries = 50;
constexpr double kLargestNumber = 1e300;

// By check; empty without the key.
FormatReader entriesOf(FormatReader& file, std::string_view key)
{
    static const Json kNone = Json::object();
    return file.has(key) ? file.object(key, kMaxEntries) : file.part(kNone, file.placeOf(key));
}

ExerciseAnswer answerOf(FormatReader& file)
{
    ExerciseAnswer read;
    file.expectKeys({"flopsmith_answer",
                     "exercise",
                     "digest",
                     "student",
                     "design",
                     "numbers",
                     "tries",
                     "words",
                     "seconds",
                     "unlocked"});
    file.expectVersion("flopsmith_answer", "answer", kAnswerFormat);
    read.exercise = file.word("exercise");
    read.digest = file.word("digest");
    read.student = file.optionalWord("student");
    read.words = file.has("words") ? file.word("words", kMaxAnswerWords) : std::string();
    FormatReader numbers = entriesOf(file, "numbers");
    for (const JsonMember& entry : numbers.members()) {
        read.numbers[entry.key()] = numbers.real(entry.key(), -kLargestNumber, kLargestNumber);
    }
    FormatReader tries = entriesOf(file, "tries");
    for (const JsonMember& entry : tries.members()) {
        read.tries[entry.key()] = static_cast<int>(tries.whole(entry.key(), 0, kMaxTries));
    }
    read.seconds = file.wholeOr("seconds", 0, kMaxSeconds, 0);
    read.unlocked = file.flagOr("unlocked", false);
    if (const Json* design = file.required("design")) {
        read.design = file.valueOr(projectFromJson(*design, file.placeOf("design")));
    }
    return read;
}

} // namespace

Result<ExerciseAnswer> readAnswer(std::string_view text, const std::string& sourceName)
{
    const std::string source = printable(sourceName);
    if (text.size() > kMaxAnswerBytes) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many for an answer; at most 4 MiB are read"};
    }
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    FormatReader file(json, source);
    return file.judged(answerOf(file));
}

std::string answerJson(const ExerciseAnswer& answer)
{
    Json json{{"flopsmith_answer", kAnswerFormat},
              {"exercise", answer.exercise},
              {"digest", answer.digest}};
    if (!answer.student.empty()) {
        json["student"] = answer.student;
    }
    json["numbers"] = Json::object();
    for (const auto& [check, number] : answer.numbers) {
        json["numbers"][check] = number;
    }
    json["tries"] = Json::object();
    for (const auto& [check, tries] : answer.tries) {
        json["tries"][check] = tries;
    }
    if (!answer.words.empty()) {
        json["words"] = answer.words;
    }
    json["seconds"] = answer.seconds;
    json["unlocked"] = answer.unlocked;
    json["design"] = ownJson(projectText(answer.design));
    return jsonText(json, 2) + "\n";
}

Status isAnswerTo(const ExerciseMarker& marker, const ExerciseAnswer& answer)
{
    if (answer.exercise != marker.exercise().id) {
        return Error{"an answer to the exercise \"" + excerpt(answer.exercise) + "\", not to \""
                     + marker.exercise().id + "\""};
    }
    if (answer.digest != marker.digest()) {
        return Error{"an answer to other checks than those of this exercise: one of the two files "
                     "was edited since"};
    }
    return Done{};
}

} // namespace flopsmith
