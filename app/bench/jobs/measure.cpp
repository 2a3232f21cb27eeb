// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/measure.h"

#include "app/bench/jobs/cpu_backend.h"
#include "app/bench/jobs/describe.h"
#include "app/bench/shared/title.h"

#include <new>

namespace flopsmith::bench {

Answer measured(const MeasureRequest& request,
                const std::stop_token& stop,
                const std::function<void(const Progress&)>& progress,
                const AvailableBytes& available)
{
    if (request.precision != ComputePrecision::float32) {
        return Failure{request.id,
                       FailureCode::badOperation,
                       "precision: this program computes in float32 only."};
    }
    try {
        const CpuBackend backend({threadsFor(request.threads)}, request.cache);
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
