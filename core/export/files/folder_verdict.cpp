// SPDX-License-Identifier: MIT
#include "core/export/files/folder_verdict.h"

#include "core/base/text_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace flopsmith {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos
        ? std::string_view()
        : text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

std::string lastLine(std::string_view text)
{
    const std::string_view all = trimmed(text);
    return std::string(trimmed(all.substr(all.rfind('\n') + 1)));
}

bool contains(std::string_view text, std::string_view what)
{
    return text.find(what) != std::string_view::npos;
}

std::string whyNothingWasCompared(int exitCode, const std::string& errors)
{
    if (contains(errors, "No module named 'torch'")) {
        return "it has no torch";
    }
    const std::string line = lastLine(errors);
    return line.empty() ? "the script ended with code " + std::to_string(exitCode)
                        : "the script ended with: " + line;
}

// Several lines as one.
std::string joined(std::string text)
{
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
        text.replace(at, 1, "; ");
    }
    return text;
}

constexpr std::array<std::string_view, 2> kVerdictLines{"Not checked here", "Checked here"};

bool saysHowItWasChecked(std::string_view line)
{
    return std::any_of(kVerdictLines.begin(), kVerdictLines.end(), [line](std::string_view begin) {
        return line.substr(0, begin.size()) == begin;
    });
}

} // namespace

FolderVerdict verdictOf(const std::string& python,
                        int exitCode,
                        const std::string& output,
                        const std::string& errors)
{
    using Kind = FolderVerdict::Kind;
    const bool isDifferent = contains(output, "NOT EQUAL");
    if (exitCode == 0 && !isDifferent && contains(output, ": equal")) {
        return {Kind::equal, python, std::string(trimmed(output))};
    }
    if (exitCode == 1 && isDifferent) {
        return {Kind::different, python, std::string(trimmed(output))};
    }
    return {Kind::notRun, python, whyNothingWasCompared(exitCode, errors)};
}

std::string checkingPython()
{
    const char* named = std::getenv("FLOPSMITH_PYTHON"); // NOLINT(concurrency-mt-unsafe)
    return named == nullptr || *named == '\0' ? "python3" : named;
}

std::vector<std::string> checkingEnvironment()
{
    return {"PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8"};
}

std::string verdictSentence(const FolderVerdict& verdict)
{
    const std::string by = verdict.python.empty() ? "" : " by " + verdict.python;
    switch (verdict.kind) {
    case FolderVerdict::Kind::equal: return "Checked here" + by + ": " + joined(verdict.text);
    case FolderVerdict::Kind::different:
        return "Checked here" + by + ", and it is different: " + joined(verdict.text);
    case FolderVerdict::Kind::notRun: break;
    }
    return "Not checked here" + by + ": " + joined(verdict.text);
}

Status noteVerdict(const std::string& folder, const FolderVerdict& verdict)
{
    const std::string file = folder + "/README.md";
    FLOPSMITH_TRY(std::string text, textOfFile(file));
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (saysHowItWasChecked(std::string_view(text).substr(begin, end - begin))) {
            return writeFile(file, text.replace(begin, end - begin, verdictSentence(verdict)));
        }
        begin = end + 1;
    }
    return Done{};
}

} // namespace flopsmith
