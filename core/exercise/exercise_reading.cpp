// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_reading.h"

#include "core/base/file_suffix.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/exercise/installed_exercises.h"
#include "core/io/project/class_locks_json.h"
#include "core/json/json_text.h"
#include "core/teach/format/format_reader.h"

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

ExerciseDesign designOf(FormatReader json)
{
    ExerciseDesign read;
    if (json.has("project")) {
        json.expectKeys({"project"});
        if (const Json* project = json.find("project")) {
            read.project = json.valueOr(projectFromJson(*project, json.placeOf("project")));
        }
        return read;
    }
    json.expectKeys({"preset", "set", "lens", "class_locks"});
    read.preset = json.word("preset");
    read.set = json.settings();
    read.lens = json.optionalWord("lens");
    if (const Json* locks = json.find("class_locks")) {
        UnknownKeys unknown;
        read.classLocks =
            json.valueOr(classLocksFromJson(*locks, json.placeOf("class_locks"), unknown));
        if (!unknown.empty()) {
            json.note(Error{unknown.front().place + ": the key " + excerpt(unknown.front().key)
                            + " is unknown"});
        }
    }
    return read;
}

int wholeOr(FormatReader& json, std::string_view key, int low, int high, int usual)
{
    return static_cast<int>(json.wholeOr(key, low, high, usual));
}

void readHashes(FormatReader& json, ExerciseNumber& read)
{
    constexpr std::size_t kMax = 1'000;
    for (const char* key : {"of", "expression", "golden", "tolerance"}) {
        if (json.has(key)) {
            json.failAt(key, "a number with hashes does not have this");
        }
    }
    read.hashes = json.words("hashes", 1, kMax, kHashLength);
}

// For the person's own design, a release contains the expression without the golden.
void readAnswer(FormatReader& json, ExerciseNumber& read)
{
    read.answer.expression = json.word("expression", FormatReader::kMaxTextBytes);
    read.answer.golden = read.ofDesign ? json.optionalWord("golden") : json.word("golden");
}

ExerciseNumber numberOf(FormatReader json)
{
    ExerciseNumber read;
    json.expectKeys({"unit", "digits", "tolerance", "of", "expression", "golden", "hashes"});
    read.unit = json.optionalWord("unit");
    read.digits = wholeOr(json, "digits", 1, kMaxAnswerDigits, read.digits);
    if (json.has("tolerance")) {
        read.tolerance = std::abs(json.real("tolerance", 0.0, kMaxTolerance)); // of -0
    }
    read.ofDesign = json.has("of") && json.word("of") == "design";
    if (json.has("of") && !read.ofDesign) {
        json.failAt("of", "expected \"design\"; without it the answer is of the start");
    }
    if (json.has("hashes")) {
        readHashes(json, read);
    } else {
        readAnswer(json, read);
    }
    return read;
}

ExerciseCheck checkOf(FormatReader json)
{
    ExerciseCheck read;
    json.expectKeys({"id", "points", "text", "predicate", "number", "hint", "hint_after", "wrong"});
    read.id = json.id();
    read.points = wholeOr(json, "points", 0, kMaxPoints, 1);
    read.text = json.word("text");
    if (json.has("predicate") == json.has("number")) {
        json.fail("expected exactly one of \"predicate\" and \"number\"");
    }
    if (json.has("predicate")) {
        read.predicate = json.word("predicate", FormatReader::kMaxTextBytes);
    } else {
        read.number = numberOf(json.object("number"));
    }
    read.hint = json.optionalWord("hint");
    read.hintAfter = wholeOr(json, "hint_after", 1, kMaxHintAfter, read.hintAfter);
    read.wrong = json.optionalWord("wrong");
    return read;
}

std::vector<ExerciseCheck> checksOf(FormatReader& file)
{
    std::vector<ExerciseCheck> checks;
    std::set<std::string> ids;
    for (const Json& each : file.list("checks", 1, kMaxChecks)) {
        const std::string number = std::to_string(checks.size() + 1);
        FormatReader check = file.part(each, file.placeOf("check " + number) + ": ");
        checks.push_back(checkOf(check));
        if (const std::string& id = checks.back().id; !ids.insert(id).second) {
            check.failAt("id", "another check has the id " + id);
        }
    }
    return checks;
}

Exercise exerciseOf(FormatReader& file)
{
    Exercise read;
    file.expectKeys(
        {"flopsmith_exercise", "id", "texts", "salt", "start", "checks", "question", "solution"});
    file.expectVersion("flopsmith_exercise", "exercise", kExerciseFormat);
    read.id = file.id();
    read.texts = file.textsByLanguage();
    read.salt = file.optionalWord("salt");
    read.start = designOf(file.object("start"));
    read.checks = checksOf(file);
    read.question = file.optionalWord("question");
    if (file.has("solution")) {
        read.solution = designOf(file.object("solution"));
    }
    return read;
}

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
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    FormatReader file(json, source);
    return file.judged(exerciseOf(file));
}

Result<Exercise> exerciseNamed(const std::string& nameOrPath)
{
    std::error_code ignored;
    const bool isFile = std::filesystem::is_regular_file(nameOrPath, ignored);
    for (const InstalledText& each : installedExercises()) {
        if (!isFile && isInstalledAs(each.fileName, nameOrPath)) {
            return readExercise(each.text, nameOrPath);
        }
    }
    const Result<std::string> text = textOfFile(nameOrPath);
    return text ? readExercise(*text, nameOrPath) : text.error();
}

} // namespace flopsmith
