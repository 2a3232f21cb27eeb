// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// Splits the pieces that a pipe delivers into lines. A line above the limit is discarded as it
/// arrives and becomes one line that says so: no sender makes this program store more.
class LineSplitter
{
public:
    struct Line
    {
        std::string text; ///< without line feed and carriage return; empty if tooLong
        bool tooLong = false;

        bool operator==(const Line&) const = default;
    };

    explicit LineSplitter(std::size_t longest = kLongestLine)
        : m_longest(longest)
    {}

    void add(std::string_view piece);

    /// The next whole line, oldest first.
    std::optional<Line> next();

    /// The text after the last line feed, once nothing more will come.
    std::optional<Line> rest();

private:
    void append(std::string_view piece);
    Line take();

    std::size_t m_longest;
    std::deque<Line> m_lines;
    std::string m_open; ///< the line that has not ended yet
    bool m_openIsTooLong = false;
};

} // namespace flopsmith
