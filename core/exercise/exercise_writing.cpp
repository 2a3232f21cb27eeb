// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_reading.h"
#include "core/io/project/class_locks_json.h"
#include "core/json/json_text.h"

namespace flopsmith {
namespace {

void writeUnlessEmpty(Json& json, const char* key, const std::string& text)
{
    if (!text.empty()) {
        json[key] = text;
    }
}

Json designJson(const ExerciseDesign& design)
{
    Json json = Json::object();
    if (design.project) {
        json["project"] = ownJson(projectText(*design.project));
        return json;
    }
    json["preset"] = design.preset;
    for (const auto& [key, value] : design.set) {
        json["set"][key] = value;
    }
    writeUnlessEmpty(json, "lens", design.lens);
    if (!design.classLocks.empty()) {
        json["class_locks"] = toJson(design.classLocks);
    }
    return json;
}

Json numberJson(const ExerciseNumber& number)
{
    Json json = Json::object();
    writeUnlessEmpty(json, "unit", number.unit);
    json["digits"] = number.digits;
    if (!number.hashes.empty()) {
        json["hashes"] = number.hashes;
        return json;
    }
    if (number.tolerance > 0.0) {
        json["tolerance"] = number.tolerance;
    }
    if (number.ofDesign) {
        json["of"] = "design";
    }
    json["expression"] = number.answer.expression;
    writeUnlessEmpty(json, "golden", number.answer.golden);
    return json;
}

Json checkJson(const ExerciseCheck& check)
{
    Json json{{"id", check.id}, {"points", check.points}, {"text", check.text}};
    if (check.number) {
        json["number"] = numberJson(*check.number);
    } else {
        json["predicate"] = check.predicate;
    }
    writeUnlessEmpty(json, "hint", check.hint);
    if (check.hintAfter != ExerciseCheck{}.hintAfter) {
        json["hint_after"] = check.hintAfter;
    }
    writeUnlessEmpty(json, "wrong", check.wrong);
    return json;
}

} // namespace

std::string exerciseJson(const Exercise& exercise)
{
    Json json{{"flopsmith_exercise", kExerciseFormat}, {"id", exercise.id}};
    for (const auto& [language, texts] : exercise.texts) {
        json["texts"][language] = Json::object();
        for (const auto& [key, text] : texts) {
            json["texts"][language][key] = text;
        }
    }
    writeUnlessEmpty(json, "salt", exercise.salt);
    json["start"] = designJson(exercise.start);
    for (const ExerciseCheck& check : exercise.checks) {
        json["checks"].push_back(checkJson(check));
    }
    writeUnlessEmpty(json, "question", exercise.question);
    if (exercise.solution) {
        json["solution"] = designJson(*exercise.solution);
    }
    return jsonText(json, 2) + "\n";
}

} // namespace flopsmith
