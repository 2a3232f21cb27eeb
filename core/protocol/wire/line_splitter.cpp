// SPDX-License-Identifier: MIT
#include "core/protocol/wire/line_splitter.h"

#include <utility>

namespace flopsmith {

void LineSplitter::add(std::string_view piece)
{
    for (;;) {
        const std::size_t end = piece.find('\n');
        append(piece.substr(0, end));
        if (end == std::string_view::npos) {
            return;
        }
        m_lines.push_back(take());
        piece.remove_prefix(end + 1);
    }
}

void LineSplitter::append(std::string_view piece)
{
    if (m_openIsTooLong) {
        return;
    }
    if (m_open.size() + piece.size() > m_longest) {
        m_openIsTooLong = true;
        m_open = std::string();
        return;
    }
    m_open += piece;
}

LineSplitter::Line LineSplitter::take()
{
    if (!m_open.empty() && m_open.back() == '\r') {
        m_open.pop_back();
    }
    return {std::exchange(m_open, std::string()), std::exchange(m_openIsTooLong, false)};
}

std::optional<LineSplitter::Line> LineSplitter::next()
{
    if (m_lines.empty()) {
        return std::nullopt;
    }
    Line line = std::move(m_lines.front());
    m_lines.pop_front();
    return line;
}

std::optional<LineSplitter::Line> LineSplitter::rest()
{
    if (m_open.empty() && !m_openIsTooLong) {
        return std::nullopt;
    }
    return take();
}

} // namespace flopsmith
