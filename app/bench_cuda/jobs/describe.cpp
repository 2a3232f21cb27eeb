// SPDX-License-Identifier: MIT
#include "app/bench_cuda/jobs/jobs.h"
#include "core/base/text.h"
#include "core/kernels/cuda/device/device.h"

namespace flopsmith::bench {

std::string cudaProgramVersion()
{
    return "flopsmith-bench-cuda " FLOPSMITH_VERSION;
}

Answer cudaDescribed(const DescribeRequest& request)
{
    const Result<cuda::DeviceFacts> facts = cuda::deviceFacts();
    if (!facts) {
        return Failure{request.id, FailureCode::failed, facts.error().message};
    }
    Described described{.id = request.id, .kind = "cuda", .program = cudaProgramVersion()};
    described.device = facts->name + ", " + std::to_string(facts->multiprocessors)
        + " multiprocessors, " + bytesText(static_cast<double>(facts->memoryBytes));
    described.libraries = {{"CUDA driver", facts->driver},
                           {"CUDA runtime", facts->runtime},
                           {"cuBLAS", facts->cublas},
                           {"cuFFT", facts->cufft}};
    described.environment = currentEnvironment(1);
    return described;
}

} // namespace flopsmith::bench
