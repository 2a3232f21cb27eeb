// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace flopsmith {

/// Starts one more thread. An Error where the system gives no more of them (ulimit -u, a container's
/// limit): whoever asks goes on with those that there are.
template <class Work>
Status startThread(std::vector<std::jthread>& threads, Work work)
{
    try {
        threads.emplace_back(std::move(work));
        return Done{};
    } catch (const std::system_error& error) {
        return Error{"the system starts no more threads (" + error.code().message() + ")"};
    }
}

} // namespace flopsmith
