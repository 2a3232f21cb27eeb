// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text_file.h"

#include <optional>
#include <string>

namespace flopsmith::app {

/// Where rows of a CSV go while they come: standard output, or a file that appears under its name
/// when finish() was called, and not at all otherwise.
class CsvStream
{
public:
    /// See isStandardOutput().
    static Result<CsvStream> create(const std::string& target);

    /// What goes wrong is kept for finish().
    void write(const std::string& text);
    Status finish();

private:
    CsvStream() = default;
    void flush();

    std::optional<NewFile> m_file;
    std::optional<Error> m_failed;
    std::string m_text; // not written yet
};

} // namespace flopsmith::app
