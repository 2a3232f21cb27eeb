// SPDX-License-Identifier: MIT
#include "app/bench/shared/title.h"
#include "app/bench_cuda/jobs/cuda_backend.h"
#include "app/bench_cuda/jobs/jobs.h"

#include <new>

namespace flopsmith::bench {

Answer cudaMeasured(const MeasureRequest& request,
                    const std::stop_token& stop,
                    const std::function<void(const Progress&)>& progress,
                    const AvailableBytes& available)
{
    const auto failure = [&](FailureCode code, const std::string& why) {
        return Failure{request.id, code, titleOf(request.operation) + ": " + why + "."};
    };
    if (request.precision == ComputePrecision::float16) {
        return failure(FailureCode::badOperation, "its kernels have no float16; bfloat16 would do");
    }
    try {
        const Result<std::unique_ptr<cuda::Device>> device =
            cuda::Device::open(productPrecision(request.precision));
        if (!device) {
            return Failure{request.id, FailureCode::failed, device.error().message};
        }
        const CudaBackend backend(**device, request.cache);
        return measuredOn(backend, request, stop, progress, available);
    } catch (const cuda::DeviceOutOfMemory& shortage) {
        return failure(FailureCode::memory, shortage.what());
    } catch (const std::bad_alloc&) {
        return failure(FailureCode::memory,
                       "the memory ran out although it seemed enough; fewer tokens or a smaller "
                       "d_model would do");
    } catch (const std::exception& error) {
        return failure(FailureCode::failed, error.what());
    }
}

} // namespace flopsmith::bench
