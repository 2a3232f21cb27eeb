// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/progress_line.h"

#include "app/terminal/outcome.h"
#include "app/terminal/terminal.h"
#include "core/base/printable.h"
#include "core/io/table/table_text.h"

#include <unistd.h>

#include <cstdio>

namespace flopsmith::app {
namespace {

// The first code points of the text, with an ellipsis in the last column but one.
std::string cut(const std::string& text, std::size_t columns)
{
    std::size_t end = 0;
    for (std::size_t taken = 0; end < text.size() && taken + 2 < columns; ++taken) {
        do {
            ++end;
        } while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
    }
    return text.substr(0, end) + "\xE2\x80\xA6";
}

} // namespace

ProgressLine::ProgressLine()
    : m_visible(::isatty(STDERR_FILENO) != 0)
{}

ProgressLine::~ProgressLine()
{
    show("");
}

void ProgressLine::note(const std::string& text) const
{
    show("");
    noteNow(text);
}

void ProgressLine::show(const std::string& message) const
{
    if (m_visible) {
        const std::string text = printable(message);
        // A line that wraps could not be erased.
        const std::size_t columns = terminalColumns(STDERR_FILENO);
        const bool fits = columns == 0 || displayWidth(text) < columns;
        std::fprintf(stderr, "\r\033[K%s", fits ? text.c_str() : cut(text, columns).c_str());
        std::fflush(stderr);
    }
}

} // namespace flopsmith::app
