// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/operands.h"
#include "core/base/result.h"
#include "core/kernels/kernel.h"
#include "core/measure/harness.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace flopsmith::bench {

/// Where kernels come from and how they are timed: what a measuring program adds to the jobs that
/// all of them do. Prepared for the threads, the precision and the cache state of one request.
class Backend
{
public:
    virtual ~Backend() = default;
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// Why it does not run the operation at all, in one sentence.
    virtual Status runs(const Operation& /*operation*/) const { return Done{}; }

    /// The operation's kernel on these weights and inputs, which must outlive it. May throw
    /// std::bad_alloc.
    virtual Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                                     WeightView<float> weights,
                                                     const Inputs& inputs) const = 0;

    /// From now on kernels may take this many bytes more of this machine's memory.
    virtual void allowMemory(const Count& /*bytes*/) const {}

    /// Whether one asked for more than that, which is an Error of prepared().
    virtual bool memoryRefused() const { return false; }

    /// The most that kernels held of it since allowMemory(), the output of this one included.
    virtual Count kernelBytes(const Kernel& kernel) const
    {
        return static_cast<Count>(sizeof(float) * kernel.output().size());
    }

    /// Besides operands and kernels, what timing takes (a buffer that empties the caches).
    virtual Count timingBytes() const { return 0; }

    /// Of another memory, that of a device: what was taken so far.
    virtual Count deviceBytes() const { return 0; }

    virtual int threads() const { return 1; }

    /// The unit roundoff of the operands of products; see compare().
    virtual double operandRounding() const { return 0.0; }

    /// What the transform library executes, if it tells.
    virtual std::optional<PlannedTransforms> plannedTransforms(const Operation& /*operation*/) const
    {
        return std::nullopt;
    }

    /// measure() of the kernel's runs in the cache state that was asked for.
    virtual Result<Measurement> timed(
        Kernel& kernel,
        const MeasureOptions& options,
        const std::stop_token& stop,
        const std::function<void(const MeasureProgress&)>& progress) const = 0;
};

} // namespace flopsmith::bench
