// SPDX-License-Identifier: MIT
#include "core/share/open_model.h"

#include "core/base/file_suffix.h"
#include "core/share/envelope.h"
#include "core/share/share_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace flopsmith {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos
        ? std::string_view()
        : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// A path may have escaped bytes in an address.
std::string unescaped(std::string_view path)
{
    std::string plain;
    for (std::size_t i = 0; i < path.size(); ++i) {
        int byte = 0;
        const bool isEscape = path[i] == '%' && i + 2 < path.size()
            && std::from_chars(&path[i + 1], &path[i + 1] + 2, byte, 16).ptr == &path[i + 1] + 2;
        plain += isEscape ? static_cast<char>(byte) : path[i];
        i += isEscape ? 2 : 0;
    }
    return plain;
}

// What a file of a kind that is no model is, and where it opens.
std::string_view whatIs(NamedKind kind)
{
    switch (kind) {
    case NamedKind::lesson: return "a lesson, which is no model; the window plays it";
    case NamedKind::exercise: return "an exercise, which is no model; the window opens it";
    case NamedKind::answer:
        return "the answer to an exercise, which is no model; the window opens it";
    case NamedKind::lab: return "a lab or its log, which is no model; the window opens it";
    case NamedKind::model:
    case NamedKind::shareCode:
    case NamedKind::text: break;
    }
    return {};
}

} // namespace

NamedKind namedKind(const std::string& nameOrPath)
{
    struct Row
    {
        std::string_view suffix;
        NamedKind kind;
    };
    static constexpr std::array kRows{Row{kLessonSuffix, NamedKind::lesson},
                                      Row{kExerciseSuffix, NamedKind::exercise},
                                      Row{kAnswerSuffix, NamedKind::answer},
                                      Row{kLabSuffix, NamedKind::lab},
                                      Row{kLogSuffix, NamedKind::lab}};
    std::error_code ignored;
    const bool isText = trimmed(nameOrPath).substr(0, 1) == "{";
    if ((isText || isShareCode(nameOrPath))
        && !std::filesystem::is_regular_file(nameOrPath, ignored)) {
        return isText ? NamedKind::text : NamedKind::shareCode;
    }
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [&nameOrPath](const Row& each) {
        return hasSuffix(nameOrPath, each.suffix);
    });
    return row == kRows.end() ? NamedKind::model : row->kind;
}

Result<Loaded> openedModel(const std::string& nameOrPath, Illegal illegal, DoubtfulSize doubtful)
{
    const NamedKind kind = namedKind(nameOrPath);
    std::error_code ignored;
    switch (kind) {
    case NamedKind::model: return loadModel(nameOrPath, illegal, doubtful);
    case NamedKind::text: return modelOfText(nameOrPath, "the text", illegal, doubtful);
    case NamedKind::shareCode: {
        FLOPSMITH_TRY(const SharedDesign design, parsedShareCode(nameOrPath, illegal));
        return Loaded{
            .project = design.project, .from = LoadedFrom::shareCode, .notes = design.notes};
    }
    default: break;
    }
    Result<Loaded> loaded = loadModel(nameOrPath, illegal, doubtful);
    return loaded || !std::filesystem::exists(nameOrPath, ignored)
        ? loaded
        : Error{nameOrPath + ": " + std::string(whatIs(kind))};
}

std::string pastedName(std::string_view text)
{
    constexpr std::string_view kLocal = "file://";
    std::string_view name = trimmed(text);
    const bool isQuoted = name.size() > 1 && name.front() == name.back()
        && (name.front() == '"' || name.front() == '\'');
    if (isQuoted) {
        name = name.substr(1, name.size() - 2);
    }
    return name.substr(0, kLocal.size()) == kLocal ? unescaped(name.substr(kLocal.size()))
                                                   : std::string(name);
}

std::string modelText(const std::string& nameOrPath)
{
    switch (namedKind(nameOrPath)) {
    case NamedKind::shareCode: return shortCode(nameOrPath);
    case NamedKind::text: return "the text";
    default: return nameOrPath;
    }
}

} // namespace flopsmith
