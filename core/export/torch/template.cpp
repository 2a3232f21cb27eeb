// SPDX-License-Identifier: MIT
#include "core/export/torch/template.h"

#include "core/export/torch/condition.h"

#include <vector>

namespace flopsmith::torch {
namespace {

constexpr std::string_view kLineMark = "  #? ";
constexpr std::size_t kWidestLine = 96;

std::string_view withoutEdges(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    const std::size_t last = text.find_last_not_of(' ');
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, last - first + 1);
}

// The rest of a line after a directive such as "#if", or nothing.
bool isDirective(std::string_view line, std::string_view directive, std::string_view& rest)
{
    const bool found = line.substr(0, directive.size()) == directive
        && (line.size() == directive.size() || line[directive.size()] == ' ');
    rest = found ? withoutEdges(line.substr(directive.size())) : std::string_view{};
    return found;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

bool beginsDefinition(std::string_view line)
{
    return line.substr(0, 6) == "class " || line.substr(0, 4) == "def " || line.substr(0, 1) == "@";
}

// An #if that is still open.
struct OpenBranch
{
    int line; ///< of its #if
    bool wanted; ///< whether the lines around it are kept
    bool taken; ///< whether one of its branches was
    bool keeps; ///< whether the present one is
    bool hasElse = false;
};

class Renderer
{
public:
    Renderer(const TemplateContext& context, std::string file)
        : m_context(context)
        , m_file(std::move(file))
    {}

    Result<std::string> render(std::string_view text)
    {
        bool begun = false;
        for (const std::string_view line : linesOf(text)) {
            ++m_line;
            begun = begun || beginsDefinition(line) || line.substr(0, 4) == "#if ";
            if (const Status read = begun ? take(line) : Status(Done{}); !read) {
                return Error{m_file + ", line " + std::to_string(m_line) + ": "
                             + read.error().message};
            }
        }
        if (!m_open.empty()) {
            return Error{m_file + ", line " + std::to_string(m_open.back().line)
                         + ": this #if has no #endif"};
        }
        while (!m_lines.empty() && m_lines.back().empty()) {
            m_lines.pop_back();
        }
        return joined();
    }

private:
    bool keeps() const { return m_open.empty() || m_open.back().keeps; }

    Status take(std::string_view line)
    {
        const std::string_view content = withoutEdges(line);
        std::string_view rest;
        if (isDirective(content, "#if", rest)) {
            return open(rest);
        }
        if (isDirective(content, "#elif", rest)) {
            return branch(rest);
        }
        if (isDirective(content, "#else", rest)) {
            return branchElse();
        }
        if (isDirective(content, "#endif", rest)) {
            if (m_open.empty()) {
                return Error{"this #endif has no #if"};
            }
            m_open.pop_back();
            return Done{};
        }
        return keeps() ? takeText(line) : Status(Done{});
    }

    Status open(std::string_view condition)
    {
        FLOPSMITH_TRY(const bool value, holds(condition, m_context));
        m_open.push_back({.line = m_line, .wanted = keeps(), .taken = value, .keeps = false});
        m_open.back().keeps = m_open.back().wanted && value;
        return Done{};
    }

    Status branch(std::string_view condition)
    {
        if (m_open.empty() || m_open.back().hasElse) {
            return Error{m_open.empty() ? "this #elif has no #if"
                                        : "this #elif comes after an #else"};
        }
        FLOPSMITH_TRY(const bool value, holds(condition, m_context));
        enter(value);
        return Done{};
    }

    Status branchElse()
    {
        if (m_open.empty() || m_open.back().hasElse) {
            return Error{m_open.empty() ? "this #else has no #if" : "this #if has two #else"};
        }
        enter(true);
        m_open.back().hasElse = true;
        return Done{};
    }

    void enter(bool value)
    {
        OpenBranch& branch = m_open.back();
        branch.keeps = branch.wanted && !branch.taken && value;
        branch.taken = branch.taken || value;
    }

    Status takeText(std::string_view line)
    {
        if (const std::size_t mark = line.find(kLineMark); mark != std::string_view::npos) {
            FLOPSMITH_TRY(const bool value,
                          holds(withoutEdges(line.substr(mark + kLineMark.size())), m_context));
            if (!value) {
                return Done{};
            }
            line = line.substr(0, line.find_last_not_of(' ', mark) + 1);
        }
        FLOPSMITH_TRY(const std::string named, withNames(line));
        m_lines.push_back(named);
        return Done{};
    }

    // The line with __NAME__ replaced; __init__ and the like have small letters.
    Result<std::string> withNames(std::string_view line) const
    {
        constexpr std::string_view kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
        std::string text;
        std::size_t done = 0;
        for (std::size_t at = line.find("__"); at != std::string_view::npos;
             at = line.find("__", at + 2)) {
            const std::size_t end = line.find("__", at + 2);
            const std::string_view name =
                end == std::string_view::npos ? "" : line.substr(at + 2, end - at - 2);
            if (name.empty() || name.find_first_not_of(kCapitals) != std::string_view::npos) {
                continue;
            }
            const auto given = m_context.names.find(name);
            if (given == m_context.names.end()) {
                return Error{"nothing gives the name __" + std::string(name) + "__"};
            }
            text.append(line.substr(done, at - done)).append(given->second);
            done = end + 2;
            at = end;
        }
        return text.append(line.substr(done));
    }

    std::string joined() const
    {
        std::string text;
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            if (const auto [signature, last] = signatureFrom(i); !signature.empty()) {
                text += signature + "\n";
                i = last;
            } else {
                text += m_lines[i] + "\n";
            }
        }
        return text;
    }

    // "    def forward(self, x):" from parameters on separate lines, and the last of these lines;
    // empty if there is no such function here or the joined line is too long.
    std::pair<std::string, std::size_t> signatureFrom(std::size_t first) const
    {
        const std::string_view definition = withoutEdges(m_lines[first]);
        if (!beginsDefinition(definition) || definition.back() != '(') {
            return {};
        }
        std::string signature = m_lines[first];
        for (std::size_t i = first + 1; i < m_lines.size(); ++i) {
            const std::string_view line = withoutEdges(m_lines[i]);
            if (line.substr(0, 2) == "):") {
                signature.resize(signature.size() - 2); // the last comma
                signature += line;
                return {signature.size() <= kWidestLine ? signature : "", i};
            }
            if (line.find('#') != std::string_view::npos) {
                return {}; // a comment keeps its line
            }
            signature.append(line).append(" ");
        }
        return {};
    }

    const TemplateContext& m_context;
    std::string m_file;
    std::vector<OpenBranch> m_open;
    std::vector<std::string> m_lines;
    int m_line = 0;
};

} // namespace

Result<std::string> rendered(std::string_view text,
                             const TemplateContext& context,
                             const std::string& file)
{
    return Renderer(context, file).render(text);
}

} // namespace flopsmith::torch
