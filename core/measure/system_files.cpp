// SPDX-License-Identifier: MIT
#include "core/measure/system_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

namespace flopsmith {
namespace {

std::int64_t unitOf(std::string_view text)
{
    if (text.empty()) {
        return 1;
    }
    switch (text.front()) {
    case 'k':
    case 'K': return std::int64_t{1} << 10;
    case 'M': return std::int64_t{1} << 20;
    case 'G': return std::int64_t{1} << 30;
    default: return 1;
    }
}

} // namespace

std::optional<std::string> smallFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return std::nullopt;
    }
    // istreambuf_iterator would throw, because reading some files of /sys fails. operator<< instead
    // leaves `text` in a failed state if nothing was read.
    std::ostringstream text;
    text << file.rdbuf();
    return text ? std::optional<std::string>(text.str()) : std::nullopt;
}

std::optional<std::string> firstLine(const std::filesystem::path& path)
{
    const std::optional<std::string> text = smallFile(path);
    if (!text) {
        return std::nullopt;
    }
    const std::string_view line = trimmed(std::string_view(*text).substr(0, text->find('\n')));
    return line.empty() ? std::nullopt : std::optional<std::string>(line);
}

std::optional<std::string> valueOf(std::string_view text, std::string_view key, char separator)
{
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t split = line.find(separator);
        if (split != std::string_view::npos && trimmed(line.substr(0, split)) == key) {
            return std::string(trimmed(line.substr(split + 1)));
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> bytesOf(std::string_view text)
{
    text = trimmed(text);
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc()) {
        return std::nullopt;
    }
    const std::int64_t unit =
        unitOf(trimmed(text.substr(static_cast<std::size_t>(read.ptr - text.data()))));
    if (number < 0 || number > std::numeric_limits<std::int64_t>::max() / unit) {
        return std::nullopt;
    }
    return number * unit;
}

std::string_view trimmed(std::string_view text)
{
    static constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) {
        return {};
    }
    return text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

} // namespace flopsmith
