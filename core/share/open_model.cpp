// SPDX-License-Identifier: MIT
#include "core/share/open_model.h"

#include "core/base/file_suffix.h"
#include "core/share/envelope.h"
#include "core/share/share_code.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace flopsmith {

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
    if (isShareCode(nameOrPath) && !std::filesystem::is_regular_file(nameOrPath, ignored)) {
        return NamedKind::shareCode;
    }
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [&nameOrPath](const Row& each) {
        return hasSuffix(nameOrPath, each.suffix);
    });
    return row == kRows.end() ? NamedKind::model : row->kind;
}

Result<Loaded> openedModel(const std::string& nameOrPath, Illegal illegal, DoubtfulSize doubtful)
{
    if (namedKind(nameOrPath) != NamedKind::shareCode) {
        return loadModel(nameOrPath, illegal, doubtful);
    }
    FLOPSMITH_TRY(const SharedDesign design, parsedShareCode(nameOrPath, illegal));
    return Loaded{.project = design.project, .from = LoadedFrom::shareCode, .notes = design.notes};
}

std::string modelText(const std::string& nameOrPath)
{
    return namedKind(nameOrPath) == NamedKind::shareCode ? shortCode(nameOrPath) : nameOrPath;
}

} // namespace flopsmith
