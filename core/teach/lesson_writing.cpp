// SPDX-License-Identifier: MIT
#include "core/json/json_text.h"
#include "core/teach/lesson_reading.h"

#include <nlohmann/json.hpp>

namespace flopsmith {
namespace {

using WrittenJson = nlohmann::ordered_json;

void writeWord(WrittenJson& json, const char* key, const std::optional<std::string>& word)
{
    if (word) {
        json[key] = *word;
    }
}

void writeText(WrittenJson& json, const char* key, const std::string& text)
{
    if (!text.empty()) {
        json[key] = text;
    }
}

WrittenJson shownJson(const Shown& shown)
{
    WrittenJson json = WrittenJson::object();
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

void writeShown(WrittenJson& json, const char* key, const Shown& shown)
{
    if (shown != Shown{}) {
        json[key] = shownJson(shown);
    }
}

void writeNumberQuestion(WrittenJson& json, const Ask& ask)
{
    writeText(json, "unit", ask.unit);
    json["from"] = ask.from;
    json["to"] = ask.to;
    json["factor"] = ask.factor;
}

void writeSketchQuestion(WrittenJson& json, const Ask& ask)
{
    json["x"] = {{"parameter", ask.axis.parameter}, {"from", ask.axis.from}, {"to", ask.axis.to}};
    json["curves"] = WrittenJson::array();
    for (const SketchCurve& curve : ask.curves) {
        json["curves"].push_back({{"label", curve.label}, {"expression", curve.expression}});
    }
}

WrittenJson askJson(const Ask& ask)
{
    WrittenJson json{{"kind", questionKindName(ask.kind)}, {"text", ask.text}};
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

WrittenJson stepJson(const LessonStep& step)
{
    WrittenJson json = WrittenJson::object();
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
    WrittenJson json{
        {"flopsmith_lesson", kLessonFormat}, {"id", lesson.id}, {"minutes", lesson.minutes}};
    for (const auto& [language, texts] : lesson.texts) {
        json["texts"][language] = WrittenJson::object();
        for (const auto& [key, text] : texts) {
            json["texts"][language][key] = text;
        }
    }
    writeShown(json, "start", lesson.start);
    json["steps"] = WrittenJson::array();
    for (const LessonStep& step : lesson.steps) {
        json["steps"].push_back(stepJson(step));
    }
    return jsonText(json, 2) + "\n";
}

} // namespace flopsmith
