// SPDX-License-Identifier: MIT
#include "core/teach/format/lesson_reading.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/teach/format/format_reader.h"

#include <optional>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxLessonBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxGoldens = 50;
constexpr int kMaxMinutes = 600;
constexpr double kMaxScaleEnd = 1e30;
constexpr double kMaxFactor = 1e6;

/// Reads a lesson. An unfinished one may have gaps that its author has not filled yet.
class LessonReader
{
public:
    explicit LessonReader(Unfinished unfinished)
        : m_unfinished(unfinished)
    {}

    Lesson lesson(FormatReader& file) const
    {
        Lesson read;
        file.expectKeys({"flopsmith_lesson", "id", "minutes", "texts", "start", "steps"});
        file.expectVersion("flopsmith_lesson", "lesson", kLessonFormat);
        read.id = file.id();
        read.minutes = static_cast<int>(file.real("minutes", 1, kMaxMinutes));
        read.texts = file.textsByLanguage();
        read.start = shown(file, "start");
        for (const Json& each : file.list("steps", minSize(1), kMaxLessonSteps)) {
            const std::string number = std::to_string(read.steps.size() + 1);
            read.steps.push_back(step(file.part(each, file.placeOf("step " + number) + ": ")));
        }
        return read;
    }

private:
    static std::optional<std::string> wordIfThere(FormatReader& read, std::string_view key)
    {
        return read.has(key) ? std::optional(read.word(key)) : std::nullopt;
    }

    /// A change of the view; empty without it.
    static Shown shown(FormatReader& outside, std::string_view key)
    {
        Shown read;
        if (!outside.has(key)) {
            return read;
        }
        FormatReader object = outside.object(key);
        object.expectKeys({"page", "select", "zoom", "model", "lens", "set", "freeze"});
        read.page = wordIfThere(object, "page");
        read.zoom = wordIfThere(object, "zoom");
        read.model = wordIfThere(object, "model");
        read.lens = wordIfThere(object, "lens");
        read.select = isEmptyText(object, "select") ? std::string() // no selection
                                                    : wordIfThere(object, "select");
        read.set = object.settings();
        if (object.has("freeze")) {
            read.freeze = object.flag("freeze");
        }
        return read;
    }

    static bool isEmptyText(const FormatReader& read, std::string_view key)
    {
        const Json* value = read.find(key);
        return value != nullptr && *value == Json("");
    }

    LessonStep step(FormatReader json) const
    {
        LessonStep read;
        json.expectKeys({"say", "ask", "notes", "show", "reveal", "why", "goldens", "lab"});
        if (json.has("say") == json.has("ask")) {
            json.fail("expected exactly one of \"say\" and \"ask\"");
        }
        if (json.has("ask")) {
            read.content = ask(json.object("ask"));
        } else {
            read.content = Say{json.word("say")};
        }
        for (const char* key : {"reveal", "why"}) {
            if (read.say() != nullptr && json.has(key)) {
                json.failAt(key, "only a question has this");
            }
        }
        read.notes = json.optionalWord("notes");
        read.show = shown(json, "show");
        read.reveal = shown(json, "reveal");
        read.why = json.optionalWord("why");
        read.goldens = goldens(json);
        if (json.has("lab")) {
            read.lab = lab(json.object("lab"));
        }
        return read;
    }

    static LessonLab lab(FormatReader read)
    {
        read.expectKeys({"task", "arms"});
        return {.task = read.word("task"), .arms = read.words("arms", 1, kMaxLessonArms)};
    }

    static std::vector<LessonAnswer> goldens(FormatReader& step)
    {
        std::vector<LessonAnswer> read;
        if (step.has("goldens")) {
            FormatReader all = step.object("goldens", kMaxGoldens);
            for (auto& [expression, golden] : all.memberWords(FormatReader::kMaxWordBytes)) {
                read.push_back({expression, std::move(golden)});
            }
        }
        return read;
    }

    LessonAnswer answer(FormatReader read) const
    {
        read.expectKeys({"expression", "golden"});
        return {.expression = wordOrNone(read, "expression", kMaxLessonText),
                .golden = wordOrNone(read, "golden")};
    }

    static void expectKeysOf(QuestionKind kind, FormatReader& read)
    {
        switch (kind) {
        case QuestionKind::choice:
        case QuestionKind::order: read.expectKeys({"kind", "text", "answer", "options"}); break;
        case QuestionKind::number:
            read.expectKeys({"kind", "text", "answer", "unit", "from", "to", "factor"});
            break;
        case QuestionKind::sketch:
            read.expectKeys({"kind", "text", "answer", "x", "curves"});
            break;
        case QuestionKind::build: read.expectKeys({"kind", "text", "answer", "example"}); break;
        }
    }

    Ask ask(FormatReader json) const
    {
        Ask read;
        read.kind = json.oneOf<QuestionKind>("kind");
        expectKeysOf(read.kind, json);
        read.text = json.word("text");
        read.answer = answer(json.object("answer"));
        switch (read.kind) {
        case QuestionKind::choice: readOptions(json, kMaxLessonChoices, read); break;
        case QuestionKind::order: readOptions(json, kMaxLessonOrdered, read); break;
        case QuestionKind::number: readScale(json, read); break;
        case QuestionKind::sketch: readSketch(json, read); break;
        case QuestionKind::build: readExample(json, read); break;
        }
        return read;
    }

    void readOptions(FormatReader& json, std::size_t maxOptions, Ask& read) const
    {
        read.options = json.words("options", minSize(2), maxOptions);
    }

    void readEnds(FormatReader& json, double& from, double& to) const
    {
        constexpr double kMinScaleEnd = 1e-12;
        from = json.real("from", kMinScaleEnd, kMaxScaleEnd);
        to = json.real("to", kMinScaleEnd, kMaxScaleEnd);
        if (from >= to && !keepsUnfinished()) {
            json.failAt("to", "expected more than \"from\"");
        }
    }

    void readScale(FormatReader& json, Ask& read) const
    {
        read.unit = json.optionalWord("unit");
        readEnds(json, read.from, read.to);
        if (json.has("factor")) {
            read.factor = json.real("factor", 1.0, kMaxFactor);
        }
    }

    void readSketch(FormatReader& json, Ask& read) const
    {
        FormatReader x = json.object("x");
        x.expectKeys({"parameter", "from", "to"});
        read.axis.parameter = wordOrNone(x, "parameter");
        readEnds(x, read.axis.from, read.axis.to);
        for (FormatReader curve : json.objects("curves", minSize(1), kMaxLessonCurves)) {
            curve.expectKeys({"label", "expression"});
            read.curves.push_back({.label = curve.word("label"),
                                   .expression = wordOrNone(curve, "expression", kMaxLessonText)});
        }
    }

    // Of the keys of Shown, only a model and parameters mean anything here.
    static void readExample(FormatReader& json, Ask& read)
    {
        FormatReader(json.object("example")).expectKeys({"model", "set"});
        read.example = shown(json, "example");
    }

    bool keepsUnfinished() const { return m_unfinished == Unfinished::keep; }
    std::size_t minSize(std::size_t entries) const { return keepsUnfinished() ? 0 : entries; }

    /// A word that may be an empty text in an unfinished lesson.
    std::string wordOrNone(FormatReader& read,
                           std::string_view key,
                           std::size_t maxBytes = FormatReader::kMaxWordBytes) const
    {
        const bool isNone = keepsUnfinished() && isEmptyText(read, key);
        return isNone ? std::string() : read.word(key, maxBytes);
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
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    FormatReader file(json, source);
    return file.judged(LessonReader(unfinished).lesson(file));
}

} // namespace flopsmith
