// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"

#include <sys/resource.h>

#include <csignal>

namespace flopsmith::test {

/// While it lives, no file of this process grows beyond so many bytes: writing more fails as it
/// does on a full disk, and needs no file system of its own.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
        : m_signal(std::signal(SIGXFSZ, SIG_IGN))
    {
        FLOPSMITH_CHECK(::getrlimit(RLIMIT_FSIZE, &m_before) == 0);
        const rlimit limited{.rlim_cur = bytes, .rlim_max = m_before.rlim_max};
        FLOPSMITH_CHECK(::setrlimit(RLIMIT_FSIZE, &limited) == 0);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }

private:
    void (*m_signal)(int);
    rlimit m_before{};
};

} // namespace flopsmith::test
