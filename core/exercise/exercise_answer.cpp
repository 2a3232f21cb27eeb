// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_answer.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/teach/format_reader.h"

namespace flopsmith {
namespace {

constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20U;
constexpr std::size_t kMaxEntries = 50;
constexpr double kLargestNumber = 1e300;

/// Reads an answer and keeps the first thing that was wrong with it.
class AnswerReader : private FormatReader
{
public:
    explicit AnswerReader(std::string source)
        : FormatReader(std::move(source))
    {}

    using FormatReader::error;
    using FormatReader::ok;

    ExerciseAnswer answer(const Json& json)
    {
        ExerciseAnswer read;
        expectKeys(json,
                   "",
                   {"flopsmith_answer",
                    "exercise",
                    "digest",
                    "student",
                    "design",
                    "numbers",
                    "tries",
                    "words",
                    "seconds",
                    "unlocked"});
        expectVersion(json, "flopsmith_answer", "answer", kAnswerFormat);
        read.exercise = word(json, "exercise", "");
        read.digest = word(json, "digest", "");
        read.student = optionalWord(json, "student", "");
        read.words = has(json, "words") ? word(json, "words", "", kMaxAnswerWords) : std::string();
        readNumbers(json, read.numbers);
        readTries(json, read.tries);
        read.seconds = wholeFrom(json, "seconds", "", kMaxSeconds);
        read.unlocked = flag(json, "unlocked");
        if (const Json* design = find(json, "design", "")) {
            readDesign(*design, read.design);
        }
        return read;
    }

private:
    void readDesign(const Json& json, Project& read)
    {
        Result<Project> project = projectFromJson(json, source() + ": design");
        if (project) {
            read = std::move(*project);
        } else {
            failAsIs(project.error());
        }
    }

    const Json* entries(const Json& json, const std::string& key)
    {
        if (!has(json, key)) {
            return nullptr;
        }
        if (!json[key].is_object() || json[key].size() > kMaxEntries) {
            fail(key, "expected an object with at most 50 checks");
            return nullptr;
        }
        return &json[key];
    }

    void readNumbers(const Json& json, TypedNumbers& numbers)
    {
        if (const Json* all = entries(json, "numbers")) {
            for (const auto& entry : all->items()) {
                numbers[entry.key()] =
                    number(*all, entry.key(), "numbers", -kLargestNumber, kLargestNumber);
            }
        }
    }

    void readTries(const Json& json, std::map<std::string, int>& tries)
    {
        if (const Json* all = entries(json, "tries")) {
            for (const auto& entry : all->items()) {
                tries[entry.key()] =
                    static_cast<int>(wholeFrom(*all, entry.key(), "tries", kMaxTries));
            }
        }
    }

    // From zero on; without it zero.
    std::int64_t wholeFrom(const Json& json,
                           const std::string& key,
                           const std::string& place,
                           std::int64_t most)
    {
        if (!has(json, key)) {
            return 0;
        }
        if (!json[key].is_number_integer()) {
            fail(deeper(place, excerpt(key)), "expected a whole number");
            return 0;
        }
        return static_cast<std::int64_t>(number(json, key, place, 0.0, static_cast<double>(most)));
    }

    bool flag(const Json& json, const std::string& key)
    {
        if (has(json, key) && !json[key].is_boolean()) {
            fail(key, "expected true or false");
        }
        return has(json, key) && json[key].get<bool>();
    }
};

} // namespace

Result<ExerciseAnswer> readAnswer(std::string_view text, const std::string& sourceName)
{
    const std::string source = printable(sourceName);
    if (text.size() > kMaxAnswerBytes) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many for an answer; at most 4 MiB are read"};
    }
    const Result<Json> json = parsedJson(text, source);
    if (!json) {
        return json.error();
    }
    AnswerReader reader(source);
    ExerciseAnswer answer = reader.answer(*json);
    if (!reader.ok()) {
        return reader.error();
    }
    return answer;
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
