// SPDX-License-Identifier: MIT
#include "app/bench/shared/title.h"
#include "app/bench_torch/jobs/jobs.h"
#include "app/bench_torch/jobs/torch_backend.h"

#include <new>

namespace flopsmith::bench {

Answer torchMeasured(TorchWorker& worker,
                     const MeasureRequest& request,
                     const std::stop_token& stop,
                     const std::function<void(const Progress&)>& progress,
                     const AvailableBytes& available)
{
    const auto failure = [&](FailureCode code, const std::string& why) {
        const bool isPlain = code == FailureCode::cancelled;
        return Failure{request.id, code, isPlain ? why : titleOf(request.operation) + ": " + why};
    };
    try {
        const TorchBackend backend(worker, request, stop);
        return measuredOn(backend, request, stop, progress, available);
    } catch (const TorchFailure& lost) {
        return failure(lost.code(), lost.what());
    } catch (const std::bad_alloc&) {
        return failure(FailureCode::memory,
                       "the memory ran out although it seemed enough; fewer tokens or a smaller "
                       "d_model would do.");
    }
}

} // namespace flopsmith::bench
