// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace flopsmith::app {

ProgressLine::ProgressLine()
    : m_visible(::isatty(STDERR_FILENO) != 0)
{}

ProgressLine::~ProgressLine()
{
    show("");
}

void ProgressLine::show(const std::string& text) const
{
    if (m_visible) {
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
        std::fflush(stderr);
    }
}

} // namespace flopsmith::app
