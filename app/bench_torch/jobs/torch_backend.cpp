// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/torch_backend.h"

#include "app/bench_torch/jobs/torch_kernel.h"

#include <algorithm>

namespace flopsmith::bench {
namespace {

// A batch is asked for through a pipe, which takes some 50 µs.
constexpr double kMinSampleSeconds = 1e-3;

constexpr std::int64_t kUnknownCache = std::int64_t{32} << 20;

std::int64_t lastCache()
{
    const Environment environment = currentEnvironment(1);
    return std::max(environment.l3Bytes.value_or(0), environment.l2Bytes.value_or(kUnknownCache));
}

} // namespace

std::string precisionName(ComputePrecision precision)
{
    switch (precision) {
    case ComputePrecision::float32: return "float32";
    case ComputePrecision::tf32: return "tf32";
    case ComputePrecision::bfloat16: return "bfloat16";
    case ComputePrecision::float16: return "float16";
    }
    return {};
}

TorchBackend::TorchBackend(TorchWorker& worker,
                           const MeasureRequest& request,
                           const std::stop_token& stop)
    : m_worker(worker)
    , m_request(request)
    , m_stop(stop)
    , m_facts(worker.facts(stop))
{
    if (m_facts.isCpu()) {
        const int usable = std::max(1, currentEnvironment(1).usableCores);
        m_threads = request.threads == 0 ? usable : std::min(request.threads, usable);
    }
}

Status TorchBackend::runs(const Operation& operation) const
{
    const Result<PartProgram> program = partProgram(operation);
    return program ? Status(Done{}) : Status(program.error());
}

Result<std::unique_ptr<Kernel>> TorchBackend::prepared(const Operation& operation,
                                                       WeightView<float> weights,
                                                       const Inputs& inputs) const
{
    auto kernel = std::make_unique<TorchKernel>(m_worker, operation, inputs, m_stop);
    if (const Status loaded = kernel->load(weights, precisionName(m_request.precision), m_threads);
        !loaded) {
        return loaded.error();
    }
    return Result<std::unique_ptr<Kernel>>(std::move(kernel));
}

// On a processor PyTorch's copies of the operands are in the same memory.
Count TorchBackend::kernelBytes(const Kernel& kernel) const
{
    const auto& own = dynamic_cast<const TorchKernel&>(kernel);
    const std::size_t elements =
        own.output().size() + (m_facts.isCpu() ? own.operandElements() : 0);
    return static_cast<Count>(sizeof(float) * elements);
}

Count TorchBackend::deviceBytes() const
{
    return static_cast<Count>(m_worker.maxDeviceBytes());
}

double TorchBackend::operandRounding() const
{
    switch (m_request.precision) {
    case ComputePrecision::float32: return 0.0;
    case ComputePrecision::tf32:
    case ComputePrecision::float16: return 1.0 / 2048.0;
    case ComputePrecision::bfloat16: return 1.0 / 512.0;
    }
    return 0.0;
}

Result<Measurement> TorchBackend::timed(
    Kernel& kernel,
    const MeasureOptions& options,
    const std::stop_token& stop,
    const std::function<void(const MeasureProgress&)>& progress) const
{
    const auto& own = dynamic_cast<const TorchKernel&>(kernel);
    const bool isCold = m_request.cache == CacheState::cold;
    const std::int64_t cache = isCold ? lastCache() : 0;
    MeasureOptions inTorch = options;
    inTorch.minSampleSeconds = kMinSampleSeconds;
    inTorch.maxRunsPerSample = isCold ? 1 : options.maxRunsPerSample;
    inTorch.timesThreads = m_facts.isCpu();
    inTorch.waiting = waitingMeter("/", m_worker.processId());
    inTorch.timer = [&own, cache](const std::function<void()>& /*run*/, int runs) {
        return own.seconds(runs, cache);
    };
    return measure([] {}, inTorch, stop, progress);
}

} // namespace flopsmith::bench
