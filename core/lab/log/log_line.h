// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// A line of a log: a JSON object, which is parsed once, where the line arrives, and never where this
/// program writes it.
class LogLine
{
public:
    explicit LogLine(Json content);

    /// One that another program wrote, without its line feed.
    static LogLine parsed(std::string_view text);

    /// No object if the line is damaged.
    const Json& content() const { return m_content; }

    /// With its line feed.
    const std::string& text() const { return m_text; }

private:
    LogLine(Json content, std::string text);

    Json m_content;
    std::string m_text;
};

} // namespace flopsmith
