// SPDX-License-Identifier: MIT
#include "core/exercise/exercise.h"

#include "core/base/sha256.h"
#include "core/exercise/rounded_number.h"
#include "core/json/json_text.h"
#include "core/teach/play/lesson_view.h"

namespace flopsmith {
namespace {

Result<std::vector<std::string>> hashesOf(const Exercise& exercise, const ExerciseCheck& check)
{
    const ExerciseNumber& number = *check.number;
    const Result<double> golden = typedNumber(number.answer.golden);
    const Result<std::vector<std::string>> right = golden
        ? rightNumbers(*golden, number.digits, number.tolerance)
        : Result<std::vector<std::string>>(golden.error());
    if (!right) {
        return Error{"check " + check.id + ": golden: " + right.error().message};
    }
    std::vector<std::string> hashes;
    for (const std::string& each : *right) {
        hashes.push_back(saltedHash(exercise, check, each));
    }
    return hashes;
}

Result<ExerciseCheck> releasedCheck(const Exercise& exercise, ExerciseCheck check)
{
    if (!check.number || !check.number->hashes.empty()) {
        return check;
    }
    ExerciseNumber& number = *check.number;
    if (number.ofDesign) {
        number.answer.golden.clear();
        return check;
    }
    FLOPSMITH_TRY(std::vector<std::string> hashes, hashesOf(exercise, check));
    number.hashes = std::move(hashes);
    number.answer = {};
    number.tolerance = 0.0; // the hashes have it
    return check;
}

// A check in a release, without texts.
Json digestJson(const ExerciseCheck& check)
{
    Json json{{"id", check.id}, {"points", check.points}};
    if (!check.number) {
        json["predicate"] = check.predicate;
        return json;
    }
    json["digits"] = check.number->digits;
    json["tolerance"] = check.number->tolerance;
    json["expression"] = check.number->answer.expression;
    json["hashes"] = check.number->hashes;
    return json;
}

std::string lensName(const ExerciseDesign& design)
{
    if (design.project) {
        return std::string(lens(design.project->lens).name);
    }
    return design.lens.empty() ? std::string("matmul") : design.lens;
}

} // namespace

Result<Project> projectOf(const ExerciseDesign& design)
{
    if (design.project) {
        return *design.project;
    }
    FLOPSMITH_TRY(const LessonView view,
                  viewAfter(LessonView{},
                            {.model = design.preset, .lens = lensName(design), .set = design.set}));
    return Project{.scenario = view.context.scenario,
                   .lens = view.context.lens,
                   .classLocks = design.classLocks};
}

std::string Exercise::languageFor(std::string_view wanted) const
{
    return nearestLanguage(texts, wanted);
}

const std::string& Exercise::text(const std::string& language, const std::string& key) const
{
    return textIn(texts, language, key);
}

int Exercise::points() const
{
    int sum = 0;
    for (const ExerciseCheck& check : checks) {
        sum += check.points;
    }
    return sum;
}

Result<Exercise> released(const Exercise& exercise)
{
    Exercise release = exercise;
    release.solution.reset();
    for (ExerciseCheck& check : release.checks) {
        FLOPSMITH_TRY(ExerciseCheck without, releasedCheck(exercise, check));
        check = std::move(without);
    }
    return release;
}

Result<std::string> exerciseDigest(const Exercise& exercise)
{
    FLOPSMITH_TRY(const Exercise release, released(exercise));
    Json json{{"id", release.id}, {"salt", release.salt}, {"lens", lensName(release.start)}};
    for (const ExerciseCheck& check : release.checks) {
        json["checks"].push_back(digestJson(check));
    }
    return sha256(jsonText(json));
}

} // namespace flopsmith
