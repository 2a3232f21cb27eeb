// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace flopsmith::app {

/// One line on the terminal that is written over and over, and gone in the end. Only notes are
/// written where standard error is no terminal.
class ProgressLine
{
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    bool isVisible() const { return m_visible; }
    void show(const std::string& message) const;

    /// A line that stays.
    void note(const std::string& text) const;

private:
    bool m_visible;
};

} // namespace flopsmith::app
