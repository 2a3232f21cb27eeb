// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace flopsmith::app {

/// A progress line on the terminal, overwritten in place and erased at the end. Without a terminal
/// on standard error only notes are written.
class ProgressLine
{
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    bool isVisible() const { return m_visible; }
    void show(const std::string& message) const;

    /// Prints a line that stays.
    void note(const std::string& text) const;

private:
    bool m_visible;
};

} // namespace flopsmith::app
