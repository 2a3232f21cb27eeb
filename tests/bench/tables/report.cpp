// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/report.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/json/json_text.h"
#include "core/measure/environment.h"
#include "core/protocol/wire/environment_json.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

namespace flopsmith::bench {
namespace {

constexpr std::ptrdiff_t kFirstWidth = 28;
constexpr std::ptrdiff_t kWidth = 12;

// printf counts bytes, a reader characters.
std::ptrdiff_t charactersIn(const std::string& text)
{
    return std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
}

// A cell of the column at `at`: the first one begins at the left, the others end at the right.
std::string padded(const std::string& text, const std::vector<Column>& columns, std::size_t at)
{
    const bool isFirst = at == 0;
    const auto width = std::max<std::ptrdiff_t>(isFirst ? kFirstWidth : kWidth,
                                                charactersIn(columns[at].heading) + 2);
    const std::string space(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, width - charactersIn(text))), ' ');
    return isFirst ? text + space : space + text;
}

std::string decimals(double value, int count, const char* after = "")
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f%s", count, value, after);
    return text;
}

std::string numberText(double value, Figure figure)
{
    switch (figure) {
    case Figure::seconds: return durationText(value);
    case Figure::perSecond: return siText(value) + "/s";
    case Figure::ratio: return decimals(value, value < 100 ? 2 : 0, " ×");
    case Figure::percent: return decimals(100 * value, 0, " %");
    case Figure::bytes: return bytesText(value);
    case Figure::text:
    case Figure::whole: break;
    }
    return flopsmith::numberText(value);
}

Json cellJson(const Cell& cell)
{
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return nullptr;
            } else {
                return value;
            }
        },
        cell);
}

// What another program wrote; an empty object where there is nothing usable.
Json fileContents(const std::string& path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    Json json = ownJson(text.str());
    return json.is_object() ? json : Json::object();
}

} // namespace

std::string cellText(const Cell& cell, Figure figure)
{
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return std::to_string(*whole);
    }
    if (const auto* value = std::get_if<double>(&cell)) {
        return numberText(*value, figure);
    }
    return "–";
}

Report::Report(std::string program)
    : m_program(std::move(program))
    , m_part(Json::object())
{}

void Report::table(const std::string& key, const std::string& title, std::vector<Column> columns)
{
    m_table = key;
    m_columns = std::move(columns);
    m_part["tables"][key] = {{"title", title}, {"rows", Json::array()}};
    std::printf("\n%s\n", title.c_str());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::printf("%s", padded(m_columns[i].heading, m_columns, i).c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
}

void Report::row(const std::vector<Cell>& cells)
{
    FLOPSMITH_CHECK(cells.size() == m_columns.size());
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string text = cellText(cells[i], m_columns[i].figure);
        std::printf("%s", padded(text, m_columns, i).c_str());
        row[m_columns[i].key] = cellJson(cells[i]);
    }
    std::printf("\n");
    std::fflush(stdout);
    m_part["tables"][m_table]["rows"].push_back(std::move(row));
}

void Report::note(std::string_view text) const
{
    std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
    std::fflush(stdout);
}

void Report::fact(const std::string& key, Json value)
{
    m_part["facts"][key] = std::move(value);
}

Status Report::writeTo(const std::string& path) const
{
    Json json = fileContents(path);
    json["environment"] = toJson(currentEnvironment(1));
    json["programs"][m_program] = m_part;
    std::ofstream file(path, std::ios::trunc);
    file << jsonText(json, 2) << '\n';
    file.close();
    if (!file) {
        return Error{path + ": cannot be written"};
    }
    return Done{};
}

std::vector<int> Options::threadCounts() const
{
    if (threads > 0) {
        return {threads};
    }
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    return cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1};
}

Result<Options> readOptions(int count, char** arguments)
{
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--quick") {
            options.quick = true;
            continue;
        }
        const std::map<std::string, std::function<void(const char*)>> settings{
            {"--json", [&](const char* value) { options.json = value; }},
            {"--python", [&](const char* value) { options.python = value; }},
            {"--only", [&](const char* value) { options.only = value; }},
            {"--threads", [&](const char* value) { options.threads = std::atoi(value); }},
            {"--width", [&](const char* value) { options.width = std::atoi(value); }},
            {"--tokens", [&](const char* value) { options.tokens = std::atoi(value); }},
            {"--seconds",
             [&](const char* value) { options.seconds = std::strtod(value, nullptr); }}};
        const auto setting = settings.find(argument);
        if (setting == settings.end()) {
            return Error{"\"" + argument
                         + "\" is unknown; known are --quick, --json FILE, --python PATH, "
                           "--seconds S, --only NAME, --threads N, --width D and --tokens T"};
        }
        if (++i == count) {
            return Error{argument + ": its value is missing"};
        }
        setting->second(arguments[i]);
    }
    if (!(options.seconds > 0.0) || options.threads < 0 || options.width < 0
        || options.tokens < 0) {
        return Error{"--seconds, --threads, --width and --tokens must be positive numbers"};
    }
    return options;
}

int benchMain(int count,
              char** arguments,
              const std::string& program,
              void (*run)(const Options& options, Report& report))
{
    const Result<Options> options = readOptions(count, arguments);
    if (!options) {
        std::fprintf(stderr, "%s: %s\n", program.c_str(), options.error().message.c_str());
        return 2;
    }
    Report report(program);
    run(*options, report);
    if (!options->json.empty()) {
        if (const Status written = report.writeTo(options->json); !written) {
            std::fprintf(stderr, "%s: %s\n", program.c_str(), written.error().message.c_str());
            return 1;
        }
    }
    return 0;
}

} // namespace flopsmith::bench
