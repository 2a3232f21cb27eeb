// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/stand_in.h"

#include "tests/core/protocol/workers.h"

namespace flopsmith {

std::vector<std::string> standInCommand(const std::string& body)
{
    return scripted(shellWorker(body)).command;
}

} // namespace flopsmith
