// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/json/json.h"
#include "core/kernels/weights.h"
#include "core/protocol/wire/message.h"
#include "tests/bench/tables/cases.h"
#include "tests/bench/tables/python_worker.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::bench {

/// How an operation is run, here and there.
struct RunSize
{
    int batch = 1;
    int sequence = 1;
    int context = 1;
    int threads = 1;
    bool backward = false;
    ComputePrecision precision = ComputePrecision::float32; ///< here; there it is load()'s
};

/// What goes into a run besides the weights; what it does not have is empty.
struct RunInput
{
    std::span<const float> x;
    std::span<const float> dy;
    std::span<const float> cachedKeys;
    std::span<const float> cachedValues;
};

struct PeerSeconds
{
    double wall = 0.0; ///< of all runs
    double processor = 0.0; ///< of all threads
};

/// torch_peer.py in a Python of its own: the same operations as they are exported. Weights and
/// results travel through files.
class TorchPeer
{
public:
    /// `python` is a path or a name; an Error when it is not there or has no torch.
    static Result<TorchPeer> start(const std::string& python);

    /// Versions, as torch tells them.
    const Json& versions() const { return m_versions; }

    Status load(const Case& each,
                int dModel,
                const Weights<float>& weights,
                ComputePrecision precision = ComputePrecision::float32);

    struct First
    {
        std::vector<float> result; ///< y, or dx and the gradient of each weight in order
        PeerSeconds seconds; ///< of one run, the second if the first is short
    };
    Result<First> prepare(const RunSize& run, const RunInput& input);

    /// Runs what was prepared so often.
    Result<PeerSeconds> time(int runs);

private:
    explicit TorchPeer(PythonWorker worker)
        : m_worker(std::move(worker))
    {}

    std::string fileNamed(const char* name) const { return m_worker.folder() + "/" + name; }

    PythonWorker m_worker;
    Json m_versions;
};

/// The largest difference of two results over the largest magnitude of the first; infinite when
/// their sizes differ or one is not a number.
double relativeDifference(std::span<const float> ours, std::span<const float> theirs);

/// What two correct single precision results differ by at most: sums of many terms are added in
/// different orders, and near a threshold the two may choose different channels of equal size.
inline constexpr double kLargestDifference = 1e-3;

} // namespace flopsmith::bench
