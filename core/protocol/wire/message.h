// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/count/op_count.h"
#include "core/measure/environment.h"
#include "core/model/operation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The messages between a window (or a headless command) and a measuring program: one JSON object
// per line. README.md in this folder documents every message with examples; wire.h writes and reads
// them.
namespace flopsmith {

/// Both sides name it in every message; a program refuses any other.
inline constexpr int kProtocolVersion = 1;

/// A longer line is refused without being kept.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// Pairs answers with requests. Chosen by the requester, 0 … 2^53 − 1; 0 in an answer to a line
/// whose id could not be read.
using RequestId = std::int64_t;

/// Of the operands of products. tf32 rounds them to 10 bits of mantissa inside the unit that
/// multiplies; sums are in float32 in each of them.
enum class ComputePrecision { float32, tf32, bfloat16, float16 };

/// The state of the caches when a run begins.
enum class CacheState {
    hot, ///< as the run before left them: runs follow one another
    cold, ///< without its operands: the last level is overwritten before each run, untimed
};

/// Who are you? Answered by Described.
struct DescribeRequest
{
    RequestId id = 0;
    bool operator==(const DescribeRequest&) const = default;
};

/// Time one operation. Answered by any number of Progress, then Measured or Failure.
struct MeasureRequest
{
    RequestId id = 0;
    Operation operation{};
    ComputePrecision precision = ComputePrecision::float32;
    CacheState cache = CacheState::hot;
    int threads = 0; ///< 0: as many as the program may use
    double budgetSeconds = 1.0; ///< for the timing; preparing and checking come before it
    bool operator==(const MeasureRequest&) const = default;
};

/// What can this device reach at best? Answered by PeaksMeasured or Failure.
struct PeaksRequest
{
    RequestId id = 0;
    int threads = 0;
    double budgetSeconds = 1.0;
    bool operator==(const PeaksRequest&) const = default;
};

/// Drop the request `id`, waiting or running. That request is then answered by a Failure with
/// code cancelled; the cancel itself has no answer, and an unknown id is ignored.
struct CancelRequest
{
    RequestId id = 0;
    bool operator==(const CancelRequest&) const = default;
};

using Request = std::variant<DescribeRequest, MeasureRequest, PeaksRequest, CancelRequest>;

struct Library
{
    std::string name{}; ///< "oneDNN"
    std::string version{};
    bool operator==(const Library&) const = default;
};

struct Described
{
    RequestId id = 0;
    std::string device{}; ///< "Intel(R) Xeon(R) Platinum 8480+, 2 cores"
    std::string kind{}; ///< "cpu", "cuda"
    std::string program{}; ///< "flopsmith-bench 0.1.0"
    std::vector<Library> libraries{};
    Environment environment{};
    /// How long it may be silent while it prepares a part, as one that compiles; 0: as long as others.
    double preparingSeconds = 0.0;
    bool operator==(const Described&) const = default;
};

struct Progress
{
    RequestId id = 0;
    std::string stage{}; ///< "preparing", "checking", "timing"
    std::size_t samples = 0;
    double medianSeconds = 0.0; ///< 0 before the first sample
    double budgetShare = 0.0; ///< spent so far, 0 … 1
    bool operator==(const Progress&) const = default;
};

/// How the kernel was compared with the reference before it was timed.
struct CheckRecord
{
    double relativeError = 0.0; ///< largest |kernel − reference| over the largest |reference|
    double tolerance = 0.0; ///< of relativeError
    std::int64_t compared = 0; ///< elements
    std::int64_t tokens = 0; ///< of which so many tokens were compared …
    std::int64_t ofTokens = 0; ///< … of so many
    std::string sentence{}; ///< the two compared results
    bool operator==(const CheckRecord&) const = default;
};

/// The operations of the planned FFTs in one run, as the transform library counts them.
struct PlannedTransforms
{
    double adds = 0.0;
    double muls = 0.0;
    double fusedMultiplyAdds = 0.0; ///< one multiplication and one addition each

    double operations() const { return adds + muls + 2.0 * fusedMultiplyAdds; }
    bool operator==(const PlannedTransforms&) const = default;
};

struct Measured
{
    RequestId id = 0;
    double medianSeconds = 0.0; ///< of one run
    double madSeconds = 0.0; ///< plain: not scaled to a standard deviation
    double lowerQuartileSeconds = 0.0;
    double upperQuartileSeconds = 0.0;
    double fastestSeconds = 0.0;
    std::size_t samples = 0;
    int runsPerSample = 1;
    bool settled = false; ///< by its own samples; see isSettled()
    std::optional<double> relativeHalfWidth{}; ///< half of the median's 95 % interval over it
    double elapsedSeconds = 0.0; ///< of the whole timing, warm-up included
    /// Share of the sampling time that the thread with the largest loss waited for a processor, 0 …
    /// 1, and that a hypervisor took from the processor with the largest loss. Samples beside other
    /// programs are left out as long as there are enough others; see settling.h.
    double waitingShare = 0.0;
    double stolenShare = 0.0;
    int threads = 1;
    CheckRecord check{};
    OpCount<Count> counted{}; ///< exact operations of one run, by class
    std::optional<PlannedTransforms> planned{}; ///< in addition to counted.fft, which is nominal
    Count flops = 0; ///< under the exact lens
    double flopsPerSecond = 0.0; ///< flops / medianSeconds; 0 if the run takes no time
    Count bytesNeeded = 0; ///< memory that the job was expected to take
    ComputePrecision precision = ComputePrecision::float32;
    CacheState cache = CacheState::hot;
    Environment environment{};
    /// Medians of the latest settled measurements of this question, this one last: filled in by a
    /// store, not by the device, whose own answer has none. See settling.h.
    std::vector<double> medians{};
    bool operator==(const Measured&) const = default;
};

/// The best matrix product in one precision.
struct ProductPeak
{
    ComputePrecision precision = ComputePrecision::float32;
    double flopsPerSecond = 0.0; ///< 2 FLOPs per multiply-add
    bool operator==(const ProductPeak&) const = default;
};

/// The bandwidth of a level of the memory hierarchy.
struct CachePeak
{
    std::string name{}; ///< "L1", "L2", "L3", "memory"
    std::uint64_t bytes = 0; ///< of the level; of the working set for "memory"
    double bytesPerSecond = 0.0; ///< read and written
    int threads = 1; ///< that moved them side by side
    bool operator==(const CachePeak&) const = default;
};

struct PeaksMeasured
{
    RequestId id = 0;
    int threads = 1;
    double flopsPerSecond = 0.0; ///< best float32 product, 2 FLOPs per multiply-add
    double bytesPerSecond = 0.0; ///< copy, read and written bytes
    std::string sentence{}; ///< how they were measured
    std::vector<ProductPeak> products{}; ///< by precision, float32 among them
    std::vector<CachePeak> caches{}; ///< smallest level first, the memory last
    /// For an empty operation: a kernel launch on a GPU, waking the threads on a CPU; 0 if it was
    /// not measured.
    double launchSeconds = 0.0;
    std::int64_t measuredAt = 0; ///< seconds since 1970 (UTC); 0 if the program does not report it
    /// Share of the time that other programs or virtual machines took during the most disturbed
    /// peak, 0 … 1: above kLargestInterference the device's peaks are higher than reported.
    double lostShare = 0.0;
    bool operator==(const PeaksMeasured&) const = default;
};

enum class FailureCode {
    badMessage, ///< the line is no message of this protocol
    wrongVersion,
    badOperation, ///< the operation is invalid or unknown to this program
    memory, ///< it would not fit; nothing was allocated
    disagrees, ///< the kernel's results differ from the reference's: not timed
    cancelled,
    failed, ///< anything else
};

struct Failure
{
    RequestId id = 0;
    FailureCode code = FailureCode::failed;
    std::string sentence{}; ///< for the person at the screen
    bool operator==(const Failure&) const = default;
};

using Answer = std::variant<Described, Progress, Measured, PeaksMeasured, Failure>;

RequestId idOf(const Request& request);
RequestId idOf(const Answer& answer);

} // namespace flopsmith
