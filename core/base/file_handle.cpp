// SPDX-License-Identifier: MIT
#include "core/base/file_handle.h"

#include <unistd.h>

namespace flopsmith {

void FileHandle::close()
{
    if (isOpen()) {
        ::close(m_descriptor);
        m_descriptor = -1;
    }
}

} // namespace flopsmith
