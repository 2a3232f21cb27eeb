// SPDX-License-Identifier: MIT
#include "core/json/json_text.h"
#include "core/teach/format/lesson_reading.h"

namespace flopsmith {
namespace {

void writeWord(Json& json, const char* key, const std::optional<std::string>& word)
{
    if (word) {
        json[key] = *word;
    }
}

void writeText(Json& json, const char* key, const std::string& text)
{
    if (!text.empty()) {
        json[key] = text;
    }
}

Json shownJson(const Shown& shown)
{
    Json json = Json::object();
    writeWord(json, "page", shown.page);
    writeWord(json, "select", shown.select);
    writeWord(json, "zoom", shown.zoom);
    writeWord(json, "model", shown.model);
    for (const auto& [key, value] : shown.set) {
        json["set"][key] = value;
    }
    writeWord(json, "lens", shown.lens);
    if (shown.freeze) {
        json["freeze"] = true;
    }
    return json;
}

void writeShown(Json& json, const char* key, const Shown& shown)
{
    if (shown != Shown{}) {
        json[key] = shownJson(shown);
    }
}

void writeNumberQuestion(Json& json, const Ask& ask)
{
    writeText(json, "unit", ask.unit);
    json["from"] = ask.from;
    json["to"] = ask.to;
    json["factor"] = ask.factor;
}

void writeSketchQuestion(Json& json, const Ask& ask)
{
    json["x"] = {{"parameter", ask.axis.parameter}, {"from", ask.axis.from}, {"to", ask.axis.to}};
    json["curves"] = Json::array();
    for (const SketchCurve& curve : ask.curves) {
        json["curves"].push_back({{"label", curve.label}, {"expression", curve.expression}});
    }
}

Json askJson(const Ask& ask)
{
    Json json{{"kind", enumName(ask.kind)}, {"text", ask.text}};
    switch (ask.kind) {
    case QuestionKind::choice:
    case QuestionKind::order: json["options"] = ask.options; break;
    case QuestionKind::number: writeNumberQuestion(json, ask); break;
    case QuestionKind::sketch: writeSketchQuestion(json, ask); break;
    case QuestionKind::build: json["example"] = shownJson(ask.example); break;
    }
    json["answer"] = {{"expression", ask.answer.expression}, {"golden", ask.answer.golden}};
    return json;
}

Json stepJson(const LessonStep& step)
{
    Json json = Json::object();
    if (const Say* say = step.say()) {
        json["say"] = say->text;
    } else {
        json["ask"] = askJson(*step.ask());
    }
    writeText(json, "notes", step.notes);
    writeShown(json, "show", step.show);
    writeShown(json, "reveal", step.reveal);
    writeText(json, "why", step.why);
    for (const LessonAnswer& golden : step.goldens) {
        json["goldens"][golden.expression] = golden.golden;
    }
    if (step.lab) {
        json["lab"] = {{"task", step.lab->task}, {"arms", step.lab->arms}};
    }
    return json;
}

} // namespace

std::string lessonJson(const Lesson& lesson)
{
    Json json{{"flopsmith_lesson", kLessonFormat}, {"id", lesson.id}, {"minutes", lesson.minutes}};
    for (const auto& [language, texts] : lesson.texts) {
        json["texts"][language] = Json::object();
        for (const auto& [key, text] : texts) {
            json["texts"][language][key] = text;
        }
    }
    writeShown(json, "start", lesson.start);
    json["steps"] = Json::array();
    for (const LessonStep& step : lesson.steps) {
        json["steps"].push_back(stepJson(step));
    }
    return jsonText(json, 2) + "\n";
}

} // namespace flopsmith
