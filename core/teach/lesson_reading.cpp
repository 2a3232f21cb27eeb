// SPDX-License-Identifier: MIT
#include "core/teach/lesson_reading.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/teach/format_reader.h"

#include <array>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxLessonBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxGoldens = 50;
constexpr int kMaxMinutes = 600;
constexpr double kMaxScaleEnd = 1e30;
constexpr double kMaxFactor = 1e6;

constexpr std::array<QuestionKind, 5> kQuestionKinds{QuestionKind::choice,
                                                     QuestionKind::number,
                                                     QuestionKind::order,
                                                     QuestionKind::sketch,
                                                     QuestionKind::build};

/// Reads a lesson and keeps the first thing that was wrong with it.
class LessonReader : private FormatReader
{
public:
    LessonReader(std::string source, Unfinished unfinished)
        : FormatReader(std::move(source))
        , m_unfinished(unfinished)
    {}

    using FormatReader::error;
    using FormatReader::ok;

    Lesson lesson(const Json& json)
    {
        Lesson read;
        expectLesson(json);
        read.id = id(json, "");
        read.minutes = static_cast<int>(number(json, "minutes", "", 1, kMaxMinutes));
        readTexts(json, read.texts);
        read.start = shown(json, "start", "");
        const Json* steps = list(json, "steps", "", 1, kMaxLessonSteps);
        for (std::size_t i = 0; ok() && i < steps->size(); ++i) {
            read.steps.push_back(step((*steps)[i], "step " + std::to_string(i + 1)));
        }
        return read;
    }

private:
    void expectLesson(const Json& json)
    {
        expectKeys(json, "", {"flopsmith_lesson", "id", "minutes", "texts", "start", "steps"});
        expectVersion(json, "flopsmith_lesson", "lesson", kLessonFormat);
    }

    static std::optional<std::string> asOptional(std::string text, bool isThere)
    {
        return isThere ? std::optional(std::move(text)) : std::nullopt;
    }

    std::optional<std::string> wordIfThere(const Json& json,
                                           const std::string& key,
                                           const std::string& place)
    {
        return asOptional(optionalWord(json, key, place), has(json, key));
    }

    /// An object that changes what is shown; without it nothing changes.
    Shown shown(const Json& json, const std::string& key, const std::string& outside)
    {
        Shown read;
        if (!has(json, key)) {
            return read;
        }
        const Json& object = json[key];
        const std::string place = deeper(outside, key);
        expectKeys(object, place, {"page", "select", "zoom", "model", "lens", "set", "freeze"});
        if (!ok()) {
            return read;
        }
        read.page = wordIfThere(object, "page", place);
        read.zoom = wordIfThere(object, "zoom", place);
        read.model = wordIfThere(object, "model", place);
        read.lens = wordIfThere(object, "lens", place);
        read.select = selection(object, place);
        read.set = settings(object, place);
        readFreeze(object, place, read);
        return read;
    }

    // An empty text selects nothing.
    std::optional<std::string> selection(const Json& object, const std::string& place)
    {
        if (has(object, "select") && object["select"] == Json("")) {
            return std::string();
        }
        return wordIfThere(object, "select", place);
    }

    void readFreeze(const Json& object, const std::string& place, Shown& read)
    {
        if (!has(object, "freeze")) {
            return;
        }
        if (!object["freeze"].is_boolean()) {
            fail(deeper(place, "freeze"), "expected true or false");
            return;
        }
        read.freeze = object["freeze"].get<bool>();
    }

    LessonStep step(const Json& json, const std::string& place)
    {
        LessonStep read;
        expectKeys(json, place, {"say", "ask", "notes", "show", "reveal", "why", "goldens", "lab"});
        if (!ok()) {
            return read;
        }
        if (json.contains("say") == json.contains("ask")) {
            fail(place, "expected exactly one of \"say\" and \"ask\"");
            return read;
        }
        if (json.contains("say")) {
            read.content = Say{word(json, "say", place)};
        } else {
            read.content = ask(json["ask"], deeper(place, "ask"));
        }
        for (const char* key : {"reveal", "why"}) {
            if (read.say() != nullptr && has(json, key)) {
                fail(deeper(place, key), "only a question has this");
            }
        }
        read.notes = optionalWord(json, "notes", place);
        read.show = shown(json, "show", place);
        read.reveal = shown(json, "reveal", place);
        read.why = optionalWord(json, "why", place);
        readGoldens(json, place, read.goldens);
        readLab(json, place, read.lab);
        return read;
    }

    void readLab(const Json& json, const std::string& place, std::optional<LessonLab>& lab)
    {
        if (!has(json, "lab")) {
            return;
        }
        const std::string where = deeper(place, "lab");
        const Json& object = json["lab"];
        expectKeys(object, where, {"task", "arms"});
        if (!ok()) {
            return;
        }
        LessonLab read{.task = word(object, "task", where), .arms = {}};
        const Json* arms = list(object, "arms", where, 1, kMaxLessonArms);
        for (std::size_t i = 0; ok() && i < arms->size(); ++i) {
            read.arms.push_back(textOf((*arms)[i], deeper(where, "arms"), kMaxWordBytes));
        }
        lab = std::move(read);
    }

    void readGoldens(const Json& json, const std::string& place, std::vector<LessonAnswer>& goldens)
    {
        if (!has(json, "goldens")) {
            return;
        }
        const std::string where = deeper(place, "goldens");
        const Json& all = json["goldens"];
        if (!all.is_object() || all.size() > kMaxGoldens) {
            fail(where, "expected an object with at most 50 expressions");
            return;
        }
        for (const JsonMember& item : all.items()) {
            if (item.key() != kComment && ok()) {
                goldens.push_back(
                    {item.key(),
                     textOf(item.value(), where + "." + excerpt(item.key()), kMaxWordBytes)});
            }
        }
    }

    LessonAnswer answer(const Json& json, const std::string& place)
    {
        const Json* object = find(json, "answer", place);
        if (object == nullptr) {
            return {};
        }
        const std::string where = deeper(place, "answer");
        expectKeys(*object, where, {"expression", "golden"});
        LessonAnswer read;
        read.expression = wordOrNone(*object, "expression", where, kMaxLessonText);
        read.golden = wordOrNone(*object, "golden", where);
        return read;
    }

    QuestionKind kind(const Json& json, const std::string& place)
    {
        const std::string name = word(json, "kind", place);
        for (const QuestionKind each : kQuestionKinds) {
            if (questionKindName(each) == name) {
                return each;
            }
        }
        fail(deeper(place, "kind"),
             "\"" + name + "\" is unknown; known are choice, number, order, sketch, build");
        return QuestionKind::choice;
    }

    void expectKeysOf(QuestionKind kind, const Json& json, const std::string& place)
    {
        switch (kind) {
        case QuestionKind::choice:
        case QuestionKind::order:
            expectKeys(json, place, {"kind", "text", "answer", "options"});
            break;
        case QuestionKind::number:
            expectKeys(json, place, {"kind", "text", "answer", "unit", "from", "to", "factor"});
            break;
        case QuestionKind::sketch:
            expectKeys(json, place, {"kind", "text", "answer", "x", "curves"});
            break;
        case QuestionKind::build:
            expectKeys(json, place, {"kind", "text", "answer", "example"});
            break;
        }
    }

    Ask ask(const Json& json, const std::string& place)
    {
        Ask read;
        if (!json.is_object()) {
            fail(place, std::string("expected an object { … }, found ") + json.type_name());
            return read;
        }
        read.kind = kind(json, place);
        expectKeysOf(read.kind, json, place);
        read.text = word(json, "text", place);
        read.answer = answer(json, place);
        readKind(json, place, read);
        return read;
    }

    void readKind(const Json& json, const std::string& place, Ask& read)
    {
        if (!ok()) {
            return;
        }
        switch (read.kind) {
        case QuestionKind::choice: readOptions(json, place, kMaxLessonChoices, read); break;
        case QuestionKind::order: readOptions(json, place, kMaxLessonOrdered, read); break;
        case QuestionKind::number: readScale(json, place, read); break;
        case QuestionKind::sketch: readSketch(json, place, read); break;
        case QuestionKind::build: readExample(json, place, read); break;
        }
    }

    void readOptions(const Json& json, const std::string& place, std::size_t most, Ask& read)
    {
        const Json* options = list(json, "options", place, 2, most);
        for (std::size_t i = 0; ok() && i < options->size(); ++i) {
            read.options.push_back(textOf((*options)[i], deeper(place, "options"), kMaxWordBytes));
        }
    }

    void readEnds(const Json& json, const std::string& place, double& from, double& to)
    {
        constexpr double kMinScaleEnd = 1e-12;
        from = number(json, "from", place, kMinScaleEnd, kMaxScaleEnd);
        to = number(json, "to", place, kMinScaleEnd, kMaxScaleEnd);
        if (ok() && from >= to && !keepsUnfinished()) {
            fail(deeper(place, "to"), "expected more than \"from\"");
        }
    }

    void readScale(const Json& json, const std::string& place, Ask& read)
    {
        read.unit = optionalWord(json, "unit", place);
        readEnds(json, place, read.from, read.to);
        if (has(json, "factor")) {
            read.factor = number(json, "factor", place, 1.0, kMaxFactor);
        }
    }

    void readSketch(const Json& json, const std::string& place, Ask& read)
    {
        const Json* x = find(json, "x", place);
        if (x == nullptr) {
            return;
        }
        const std::string where = deeper(place, "x");
        expectKeys(*x, where, {"parameter", "from", "to"});
        read.axis.parameter = wordOrNone(*x, "parameter", where);
        readEnds(*x, where, read.axis.from, read.axis.to);
        const Json* curves = list(json, "curves", place, 1, kMaxLessonCurves);
        for (std::size_t i = 0; ok() && i < curves->size(); ++i) {
            const std::string here = deeper(place, "curves") + "[" + std::to_string(i) + "]";
            const Json& curve = (*curves)[i];
            expectKeys(curve, here, {"label", "expression"});
            SketchCurve drawn{word(curve, "label", here),
                              wordOrNone(curve, "expression", here, kMaxLessonText)};
            read.curves.push_back(std::move(drawn));
        }
    }

    // Of the keys of Shown, only a model and parameters mean anything here.
    void readExample(const Json& json, const std::string& place, Ask& read)
    {
        const Json* example = find(json, "example", place);
        if (example != nullptr) {
            expectKeys(*example, deeper(place, "example"), {"model", "set"});
            read.example = shown(json, "example", place);
        }
    }

    bool keepsUnfinished() const { return m_unfinished == Unfinished::keep; }

    const Json* list(const Json& json,
                     const std::string& key,
                     const std::string& place,
                     std::size_t least,
                     std::size_t most)
    {
        return FormatReader::list(json, key, place, keepsUnfinished() ? 0 : least, most);
    }

    /// A word that an unfinished lesson may have as an empty text.
    std::string wordOrNone(const Json& json,
                           const std::string& key,
                           const std::string& place,
                           std::size_t most = kMaxWordBytes)
    {
        const bool isNone = keepsUnfinished() && has(json, key) && json[key] == Json("");
        return isNone ? std::string() : word(json, key, place, most);
    }

    Unfinished m_unfinished;
};

} // namespace

Result<Lesson> readLesson(std::string_view text,
                          const std::string& sourceName,
                          Unfinished unfinished)
{
    const std::string source = printable(sourceName);
    if (text.size() > kMaxLessonBytes) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many for a lesson; at most 1 MiB is read"};
    }
    const Result<Json> json = parsedJson(text, source);
    if (!json) {
        return json.error();
    }
    LessonReader reader(source, unfinished);
    Lesson lesson = reader.lesson(*json);
    if (!reader.ok()) {
        return reader.error();
    }
    return lesson;
}

} // namespace flopsmith
