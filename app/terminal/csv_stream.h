// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text_file.h"

#include <optional>
#include <string>

namespace flopsmith::app {

/// Streams CSV rows to standard output, or to a file that gets its name only when finish() is
/// called.
class CsvStream
{
public:
    /// See isStandardOutput().
    static Result<CsvStream> create(const std::string& target);

    /// finish() reports failures.
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
