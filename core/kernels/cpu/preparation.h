// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/kernel.h"
#include "core/layer/weight_shape.h"

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

namespace flopsmith::cpu {

/// The common part of every prepare(): starts the threads, and turns a failed allocation into a
/// sentence that names the operation.
template <class K = Kernel, class Make>
Result<std::unique_ptr<K>> prepared(std::string_view what, Threads threads, const Make& make)
{
    FLOPSMITH_CHECK(threads.count >= 1);
    try {
        startThreads(threads);
        return make();
    } catch (const std::system_error&) {
        return Error{"The system does not start " + std::to_string(threads.count)
                     + " threads; fewer would do"};
    } catch (const OutOfMemory& refused) {
        return Error{"There is not enough memory to run " + std::string(what) + ": it needs "
                     + bytesText(static_cast<double>(refused.wantedBytes())) + " more memory, but "
                     + bytesText(static_cast<double>(refused.leftBytes()))
                     + " is left; fewer tokens or a smaller d_model would do"};
    } catch (const std::bad_alloc&) {
        return Error{"There is not enough memory to run " + std::string(what)
                     + " at this size; fewer tokens or a smaller d_model would do"};
    }
}

} // namespace flopsmith::cpu
