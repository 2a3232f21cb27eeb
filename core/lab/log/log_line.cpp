// SPDX-License-Identifier: MIT
#include "core/lab/log/log_line.h"

#include "core/json/json_text.h"

#include <utility>

namespace flopsmith {

LogLine::LogLine(Json content, std::string text)
    : m_content(std::move(content))
    , m_text(std::move(text))
{
    m_text += '\n';
}

LogLine::LogLine(Json content)
    : m_content(std::move(content))
    , m_text(jsonText(m_content) + '\n')
{}

LogLine LogLine::parsed(std::string_view text)
{
    return {ownJson(text), std::string(text)};
}

} // namespace flopsmith
