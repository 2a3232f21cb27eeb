// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_format.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace flopsmith {
namespace {

struct FormatName
{
    std::string_view name;
    ReportFormat format;
};

constexpr std::array<FormatName, 5> kFormatNames{{{"pdf", ReportFormat::pdf},
                                                  {"html", ReportFormat::html},
                                                  {"htm", ReportFormat::html},
                                                  {"md", ReportFormat::markdown},
                                                  {"tex", ReportFormat::latex}}};

std::optional<ReportFormat> formatCalled(std::string_view name)
{
    for (const FormatName& each : kFormatNames) {
        if (each.name == name) {
            return each.format;
        }
    }
    return std::nullopt;
}

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lowerCase(std::string text)
{
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

} // namespace

Result<ReportFormat> reportFormatOf(const std::string& file)
{
    const std::string suffix = std::filesystem::path(file).extension().string();
    if (const auto format =
            suffix.empty() ? std::nullopt : formatCalled(lowerCase(suffix.substr(1)))) {
        return *format;
    }
    return Error{
        excerpt(file)
        + (suffix.empty() ? std::string(" has no suffix") : " has the suffix " + excerpt(suffix))
        + "; a report can be .pdf, .html, .md or .tex"};
}

Result<ReportFormat> reportFormatNamed(std::string_view name)
{
    if (const auto format = formatCalled(name)) {
        return *format;
    }
    return Error{excerpt(name) + " is no format of a report; known are pdf, html, md and tex"};
}

std::string figureFolderOf(const std::string& file)
{
    constexpr std::size_t kLongest = 60;
    std::string name = std::filesystem::path(file).stem().string().substr(0, kLongest);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !isLetterOrDigit(c); }, '-');
    return name + "-figures";
}

} // namespace flopsmith
