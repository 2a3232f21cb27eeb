// SPDX-License-Identifier: MIT
#include "app/bench/shared/measure_job.h"

#include "app/bench/shared/legal.h"
#include "app/bench/shared/title.h"
#include "app/bench/shared/verify.h"
#include "app/bench/shared/verify_plan.h"
#include "core/base/text.h"
#include "core/count/lens.h"
#include "core/measure/harness.h"
#include "core/measure/memory.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace flopsmith::bench {
namespace {

// The reference executes some 5·10^8 operations per second, so that checking takes about as long
// as timing.
constexpr double kReferenceOperationsPerSecond = 2e8;
constexpr double kMinCheckSeconds = 0.1;
constexpr double kMaxCheckSeconds = 1.0;

// How a job is checked, and what it takes.
struct Plan
{
    ReferencePrecision precision = ReferencePrecision::float64;
    Count operations = 0; ///< of the reference
    Count bytes = 0;
};

Count outputBytes(const Operation& operation)
{
    Count elements = static_cast<Count>(outputElements(operation));
    if (operation.pass == ComputePass::backward) {
        for (const WeightShape& shape : weightShapes(operation)) {
            elements += Count{shape.rows} * shape.columns;
        }
    }
    return elements * Count{sizeof(float)};
}

class Job
{
public:
    Job(const Backend& backend,
        const MeasureRequest& request,
        const std::stop_token& stop,
        const std::function<void(const Progress&)>& progress,
        const AvailableBytes& available)
        : m_backend(backend)
        , m_request(request)
        , m_stop(stop)
        , m_progress(progress)
        , m_available(available)
    {}

    Answer answer()
    {
        if (const Status legal = validated(m_request.operation); !legal) {
            return failure(FailureCode::badOperation, legal.error().message);
        }
        if (const Status runs = m_backend.runs(m_request.operation); !runs) {
            return failure(FailureCode::badOperation, runs.error().message);
        }
        if (const Status valid = flopsmith::validated(options()); !valid) {
            return failure(FailureCode::badMessage, valid.error().message);
        }
        const std::optional<std::int64_t> available = m_available();
        if (const Status fits = allowMemory(available); !fits) {
            return failure(FailureCode::memory, fits.error().message);
        }
        report({.stage = "preparing"});
        const Operands operands = drawnOperands(m_request.operation, m_stop, m_request.precision);
        const Result<std::unique_ptr<Kernel>> kernel =
            m_backend.prepared(m_request.operation, operands.weights, operands.inputs);
        if (!kernel) {
            return failure(m_backend.memoryRefused() ? FailureCode::memory : FailureCode::failed,
                           kernel.error().message);
        }
        if (m_stop.stop_requested()) {
            return cancelled();
        }
        if (const Status fits = planCheck(**kernel, available); !fits) {
            return failure(FailureCode::memory, fits.error().message);
        }
        report({.stage = "checking"});
        (*kernel)->run();
        const Result<CheckRecord> check = verify(m_request.operation,
                                                 operands,
                                                 **kernel,
                                                 m_backend,
                                                 m_plan.precision,
                                                 m_plan.operations);
        if (!check) {
            return failure(m_backend.memoryRefused() ? FailureCode::memory : FailureCode::disagrees,
                           titleOf(m_request.operation) + ": " + check.error().message);
        }
        return timed(**kernel, *check);
    }

private:
    MeasureOptions options() const { return {.budgetSeconds = m_request.budgetSeconds}; }

    // Refuses what does not fit by its operands and its output alone, and leaves the rest of the
    // memory to the kernel.
    Status allowMemory(std::optional<std::int64_t> available)
    {
        // Sizes in 128 bits first: everything else counts elements in 64.
        const std::optional<std::int64_t> most = available
            ? available
            : std::optional<std::int64_t>(std::numeric_limits<std::int64_t>::max() / 1024);
        if (const Status fits = fitsInMemory(job(), minBytes(m_request.operation), most); !fits) {
            return fits;
        }
        const Count operands = operandBytes(m_request.operation);
        const Count least = operands + outputBytes(m_request.operation) + m_backend.timingBytes();
        const Status fits = fitsInMemory(job(), least, available);
        if (fits.ok()) {
            m_backend.allowMemory(Count{*most} - kMemoryReserveBytes - operands);
        }
        return fits;
    }

    Status planCheck(const Kernel& kernel, std::optional<std::int64_t> available)
    {
        const Operation& operation = m_request.operation;
        const Count kernelBytes = m_backend.kernelBytes(kernel);
        m_plan.operations = static_cast<Count>(
            kReferenceOperationsPerSecond
            * std::clamp(m_request.budgetSeconds, kMinCheckSeconds, kMaxCheckSeconds));
        const auto bytesWith = [&](ReferencePrecision precision) {
            return operandBytes(operation) + kernelBytes + m_backend.timingBytes()
                + checkBytes(operation, kernelBytes, precision, m_plan.operations);
        };
        m_plan.bytes = bytesWith(m_plan.precision);
        if (!fitsInMemory(job(), m_plan.bytes, available)) {
            m_plan.precision = ReferencePrecision::float32;
            m_plan.bytes = bytesWith(m_plan.precision);
        }
        return fitsInMemory(job(), m_plan.bytes, available);
    }

    std::string job() const
    {
        const Operation& operation = m_request.operation;
        return titleOf(operation) + " at " + std::to_string(shapeOf(operation).tokens())
            + " tokens and d_model " + std::to_string(operation.dModel);
    }

    Answer timed(Kernel& kernel, const CheckRecord& check) const
    {
        const Result<Measurement> done =
            m_backend.timed(kernel, options(), m_stop, [&](const MeasureProgress& now) {
                report({.stage = "timing",
                        .samples = now.samples,
                        .medianSeconds = now.medianSeconds,
                        .budgetShare = now.budgetShare});
            });
        if (!done) {
            return failure(FailureCode::failed, done.error().message);
        }
        const Measurement& measurement = *done;
        if (measurement.cancelled()) {
            return cancelled();
        }
        Measured measured{.id = m_request.id};
        const Samples& samples = measurement.samples;
        measured.medianSeconds = samples.median();
        measured.madSeconds = samples.mad();
        measured.lowerQuartileSeconds = samples.lowerQuartile();
        measured.upperQuartileSeconds = samples.upperQuartile();
        measured.fastestSeconds = samples.min();
        measured.samples = samples.count();
        measured.runsPerSample = measurement.runsPerSample;
        measured.settled = measurement.settled();
        measured.relativeHalfWidth = measurement.relativeHalfWidth;
        measured.elapsedSeconds = measurement.elapsedSeconds;
        measured.waitingShare = measurement.waitingShare;
        measured.stolenShare = measurement.stolenShare;
        measured.check = check;
        addCounts(measured);
        return measured;
    }

    void addCounts(Measured& measured) const
    {
        measured.threads = m_backend.threads();
        measured.counted = costTree(m_request.operation).total().count;
        measured.planned = m_backend.plannedTransforms(m_request.operation);
        measured.flops = priced(LensId::exact, measured.counted);
        if (measured.medianSeconds > 0.0) {
            measured.flopsPerSecond = toDouble(measured.flops) / measured.medianSeconds;
        }
        measured.bytesNeeded = m_plan.bytes + m_backend.deviceBytes();
        measured.precision = m_request.precision;
        measured.cache = m_request.cache;
        measured.environment = currentEnvironment(m_backend.threads());
    }

    void report(Progress progress) const
    {
        if (m_progress) {
            progress.id = m_request.id;
            m_progress(progress);
        }
    }

    Answer failure(FailureCode code, const std::string& sentence) const
    {
        return Failure{m_request.id, code, sentence};
    }

    Answer cancelled() const { return failure(FailureCode::cancelled, "Cancelled."); }

    const Backend& m_backend;
    const MeasureRequest& m_request;
    const std::stop_token& m_stop;
    const std::function<void(const Progress&)>& m_progress;
    const AvailableBytes& m_available;
    Plan m_plan;
};

} // namespace

Answer measuredOn(const Backend& backend,
                  const MeasureRequest& request,
                  const std::stop_token& stop,
                  const std::function<void(const Progress&)>& progress,
                  const AvailableBytes& available)
{
    return Job(backend, request, stop, progress, available).answer();
}

} // namespace flopsmith::bench
