// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_reading.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/exercise/installed_exercises.h"
#include "core/io/class_locks_json.h"
#include "core/json/json_text.h"
#include "core/teach/format_reader.h"

#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxExerciseBytes = std::size_t{4} << 20U;
constexpr std::size_t kMaxChecks = 50;
constexpr int kMaxPoints = 1'000;
constexpr int kMaxHintAfter = 1'000;
constexpr double kMaxTolerance = 0.5;
constexpr std::size_t kHashLength = 64;

/// Reads an exercise and keeps the first thing that was wrong with it.
class ExerciseReader : private FormatReader
{
public:
    explicit ExerciseReader(std::string source)
        : FormatReader(std::move(source))
    {}

    using FormatReader::error;
    using FormatReader::ok;

    Exercise exercise(const Json& json)
    {
        Exercise read;
        expectKeys(json,
                   "",
                   {"flopsmith_exercise",
                    "id",
                    "texts",
                    "salt",
                    "start",
                    "checks",
                    "question",
                    "solution"});
        expectVersion(json, "flopsmith_exercise", "exercise", kExerciseFormat);
        read.id = id(json, "");
        readTexts(json, read.texts);
        read.salt = optionalWord(json, "salt", "");
        if (const Json* start = find(json, "start", "")) {
            read.start = design(*start, "start");
        }
        const Json* checks = list(json, "checks", "", 1, kMaxChecks);
        for (std::size_t i = 0; ok() && i < checks->size(); ++i) {
            read.checks.push_back(check((*checks)[i], "check " + std::to_string(i + 1)));
        }
        read.question = optionalWord(json, "question", "");
        if (has(json, "solution")) {
            read.solution = design(json["solution"], "solution");
        }
        return read;
    }

private:
    ExerciseDesign design(const Json& json, const std::string& place)
    {
        ExerciseDesign read;
        const bool isWhole = json.is_object() && json.contains("project");
        if (!isWhole) {
            expectKeys(json, place, {"preset", "set", "lens", "class_locks"});
            read.preset = word(json, "preset", place);
            read.set = settings(json, place);
            read.lens = optionalWord(json, "lens", place);
            read.classLocks = classLocks(json, place);
            return read;
        }
        expectKeys(json, place, {"project"});
        if (!ok()) {
            return read;
        }
        Result<Project> project =
            projectFromJson(json["project"], source() + ": " + deeper(place, "project"));
        if (!project) {
            failAsIs(project.error());
            return read;
        }
        read.project = std::move(*project);
        return read;
    }

    std::vector<ClassLock> classLocks(const Json& json, const std::string& place)
    {
        if (!has(json, "class_locks")) {
            return {};
        }
        const std::string at = source() + ": " + deeper(place, "class_locks");
        UnknownKeys unknown;
        Result<std::vector<ClassLock>> read = classLocksFromJson(json["class_locks"], at, unknown);
        if (!read) {
            failAsIs(read.error());
            return {};
        }
        if (!unknown.empty()) {
            failAsIs(Error{unknown.front().place + ": the key " + excerpt(unknown.front().key)
                           + " is unknown"});
        }
        return std::move(*read);
    }

    ExerciseCheck check(const Json& json, const std::string& place)
    {
        ExerciseCheck read;
        expectKeys(json,
                   place,
                   {"id", "points", "text", "predicate", "number", "hint", "hint_after", "wrong"});
        if (!ok()) {
            return read;
        }
        read.id = id(json, place);
        if (ok() && !m_ids.insert(read.id).second) {
            fail(deeper(place, "id"), "another check has the id " + read.id);
        }
        read.points = whole(json, "points", place, 0, kMaxPoints, 1);
        read.text = word(json, "text", place);
        readQuestion(json, place, read);
        read.hint = optionalWord(json, "hint", place);
        read.hintAfter = whole(json, "hint_after", place, 1, kMaxHintAfter, read.hintAfter);
        read.wrong = optionalWord(json, "wrong", place);
        return read;
    }

    int whole(const Json& json,
              const std::string& key,
              const std::string& place,
              int low,
              int high,
              int usual)
    {
        if (!has(json, key)) {
            return usual;
        }
        if (!json[key].is_number_integer()) {
            fail(deeper(place, key), "expected a whole number");
            return usual;
        }
        return static_cast<int>(number(json, key, place, low, high));
    }

    void readQuestion(const Json& json, const std::string& place, ExerciseCheck& read)
    {
        if (ok() && json.contains("predicate") == json.contains("number")) {
            fail(place, "expected exactly one of \"predicate\" and \"number\"");
        }
        if (has(json, "predicate")) {
            read.predicate = word(json, "predicate", place, kMaxTextBytes);
        } else if (ok()) {
            read.number = numberQuestion(json["number"], deeper(place, "number"));
        }
    }

    ExerciseNumber numberQuestion(const Json& json, const std::string& place)
    {
        ExerciseNumber read;
        expectKeys(
            json, place, {"unit", "digits", "tolerance", "of", "expression", "golden", "hashes"});
        if (!ok()) {
            return read;
        }
        read.unit = optionalWord(json, "unit", place);
        read.digits = whole(json, "digits", place, 1, kMaxAnswerDigits, read.digits);
        if (has(json, "tolerance")) {
            read.tolerance =
                std::abs(number(json, "tolerance", place, 0.0, kMaxTolerance)); // of -0
        }
        read.ofDesign = has(json, "of") && word(json, "of", place) == "design";
        if (has(json, "of") && !read.ofDesign) {
            fail(deeper(place, "of"), "expected \"design\"; without it the answer is of the start");
        }
        if (has(json, "hashes")) {
            readHashes(json, place, read);
        } else {
            readAnswer(json, place, read);
        }
        return read;
    }

    void readHashes(const Json& json, const std::string& place, ExerciseNumber& read)
    {
        constexpr std::size_t kMax = 1'000;
        for (const char* key : {"of", "expression", "golden", "tolerance"}) {
            if (has(json, key)) {
                fail(deeper(place, key), "a number with hashes does not have this");
            }
        }
        const Json* hashes = list(json, "hashes", place, 1, kMax);
        for (std::size_t i = 0; ok() && i < hashes->size(); ++i) {
            read.hashes.push_back(textOf((*hashes)[i], deeper(place, "hashes"), kHashLength));
        }
    }

    // A release keeps the expression of what is of the person's design, without the golden.
    void readAnswer(const Json& json, const std::string& place, ExerciseNumber& read)
    {
        read.answer.expression = word(json, "expression", place, kMaxTextBytes);
        read.answer.golden =
            read.ofDesign ? optionalWord(json, "golden", place) : word(json, "golden", place);
    }

    std::set<std::string> m_ids;
};

bool isInstalledAs(std::string_view fileName, std::string_view wanted)
{
    const std::string_view stem = fileName.substr(0, fileName.size() - kExerciseSuffix.size());
    const std::size_t dash = stem.find('-');
    return wanted == fileName || wanted == stem
        || (dash != std::string_view::npos && wanted == stem.substr(dash + 1));
}

} // namespace

Result<Exercise> readExercise(std::string_view text, const std::string& sourceName)
{
    const std::string source = printable(sourceName);
    if (text.size() > kMaxExerciseBytes) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many for an exercise; at most 4 MiB are read"};
    }
    const Result<Json> json = parsedJson(text, source);
    if (!json) {
        return json.error();
    }
    ExerciseReader reader(source);
    Exercise exercise = reader.exercise(*json);
    if (!reader.ok()) {
        return reader.error();
    }
    return exercise;
}

Result<Exercise> exerciseNamed(const std::string& nameOrPath)
{
    std::error_code ignored;
    const bool isFile = std::filesystem::is_regular_file(nameOrPath, ignored);
    for (const InstalledExercise& each : installedExercises()) {
        if (!isFile && isInstalledAs(each.fileName, nameOrPath)) {
            return readExercise(each.text, nameOrPath);
        }
    }
    const Result<std::string> text = textOfFile(nameOrPath);
    return text ? readExercise(*text, nameOrPath) : text.error();
}

} // namespace flopsmith
