// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace flopsmith {

/// Starts one more thread. An Error if the system allows no more (ulimit -u, a container's limit);
/// the caller then continues with the threads that it has.
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
