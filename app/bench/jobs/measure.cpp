// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/measure.h"

#include "app/bench/jobs/cpu_backend.h"
#include "app/bench/jobs/describe.h"
#include "app/bench/shared/title.h"

#include <new>

namespace flopsmith::bench {
namespace {

// An Error says what would do instead.
Result<cpu::Precision> productPrecision(ComputePrecision precision)
{
    if (precision == ComputePrecision::tf32) {
        return Error{"precision: processors have no tf32, which is a format of GPUs; float32 or "
                     "bfloat16 would do."};
    }
    if (precision == ComputePrecision::float16) {
        return Error{"precision: these kernels multiply in float32 or bfloat16."};
    }
    const cpu::Precision asked = precision == ComputePrecision::bfloat16 ? cpu::Precision::bfloat16
                                                                         : cpu::Precision::float32;
    if (const Status possible = cpu::computesProductsIn(asked); !possible) {
        return possible.error();
    }
    return asked;
}

} // namespace

Answer measured(const MeasureRequest& request,
                const std::stop_token& stop,
                const std::function<void(const Progress&)>& progress,
                const AvailableBytes& available)
{
    const Result<cpu::Precision> precision = productPrecision(request.precision);
    if (!precision) {
        return Failure{request.id, FailureCode::badOperation, precision.error().message};
    }
    try {
        const CpuBackend backend({threadsFor(request.threads)}, request.cache, *precision);
        return measuredOn(backend, request, stop, progress, available);
    } catch (const std::bad_alloc&) {
        return Failure{request.id,
                       FailureCode::memory,
                       titleOf(request.operation)
                           + ": the memory ran out although it seemed enough; fewer tokens or a "
                             "smaller d_model would do."};
    } catch (const std::exception& error) {
        return Failure{request.id,
                       FailureCode::failed,
                       titleOf(request.operation) + ": " + error.what() + "."};
    }
}

} // namespace flopsmith::bench
