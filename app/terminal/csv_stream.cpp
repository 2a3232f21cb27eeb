// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/csv_stream.h"

#include "app/terminal/outcome.h"

#include <cstdio>
#include <utility>

namespace flopsmith::app {

Result<CsvStream> CsvStream::create(const std::string& target)
{
    CsvStream stream;
    if (!isStandardOutput(target)) {
        FLOPSMITH_TRY(NewFile file, NewFile::create(target));
        stream.m_file.emplace(std::move(file));
    }
    return stream;
}

void CsvStream::write(const std::string& text)
{
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    m_text += text;
    if (m_text.size() >= kPiece) {
        flush();
    }
}

Status CsvStream::finish()
{
    flush();
    if (m_failed) {
        return *m_failed;
    }
    if (m_file) {
        return m_file->commit();
    }
    if (std::fflush(stdout) != 0) {
        return Error{"standard output: cannot be written"};
    }
    return Done{};
}

void CsvStream::flush()
{
    if (m_file && !m_failed) {
        if (const Status written = m_file->append(m_text); !written) {
            m_failed = written.error();
        }
    } else if (!m_failed && std::fwrite(m_text.data(), 1, m_text.size(), stdout) != m_text.size()) {
        m_failed = Error{"standard output: cannot be written"};
    }
    m_text.clear();
}

} // namespace flopsmith::app
