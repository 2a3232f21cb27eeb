// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/operation.h"
#include "core/protocol/device/device_session.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

enum class PartStage { waiting, running, measured, failed };

/// How far one part of a plan is.
struct PartResult
{
    PartStage stage = PartStage::waiting;
    std::optional<Measured> measured{}; ///< with stage measured
    FailureCode code = FailureCode::failed; ///< with stage failed
    std::string sentence{}; ///< why it failed
    bool workerFailed = false; ///< no answer: the program died, babbled or hung

    bool operator==(const PartResult&) const = default;
};

/// Results of one device by question, so that going back to an earlier setting shows its times at
/// once, and the device's description.
class KnownResults
{
public:
    /// The question's id and budget are ignored.
    const Measured* find(const MeasureRequest& question) const;
    void keep(const MeasureRequest& question, const Measured& measured);

    std::optional<Described> described;
    std::optional<PeaksMeasured> peaks;

private:
    std::map<std::string, Measured> m_measured;
};

enum class WithPeaks { no, yes };

struct MeasuringOptions
{
    double budgetSeconds = 10.0; ///< for the whole plan; see budgetOfNext()
    int threads = 0; ///< 0: as many as the device has
    ComputePrecision precision = ComputePrecision::float32;
    CacheState cache = CacheState::hot;
    WithPeaks peaks = WithPeaks::yes;
    double peaksSeconds = 0.0; ///< for timing them; 0: a share of the budget
    /// Silence that counts as a hang, in addition to the time of the work: starting a program on
    /// another machine, drawing the weights, checking.
    Milliseconds patience{60'000};
};

/// The request for a part of a plan.
MeasureRequest questionOf(const Operation& operation, const MeasuringOptions& options);

/// Called from the measuring thread; each may be empty.
struct MeasuringObserver
{
    std::function<void(const Described&)> described;
    std::function<void(const PeaksMeasured&)> peaks;
    std::function<void(int part, const PartResult&)> part;
    std::function<void(int part, const Progress&)> progress;
    /// The program has not answered, as the sentence says, and is restarted.
    std::function<void(const std::string& sentence)> silence;
};

struct MeasuringOutcome
{
    std::optional<Described> described;
    std::optional<PeaksMeasured> peaks;
    std::string noPeaks{}; ///< why wanted peaks could not be had
    std::vector<PartResult> parts; ///< parallel to the plan
    bool cancelled = false;
    std::optional<Error> unavailable; ///< why the device could not be asked at all
    bool silent = false; ///< silent twice in a row, and the remaining parts were not requested

    bool operator==(const MeasuringOutcome&) const = default;
};

/// Seconds of timing for the next of a plan's `parts`, of which `left` remain, this one included:
/// an equal share of the remaining budget. Never less than half of an equal share of the whole, and
/// a tenth of a second: a late part must not suffer from early ones that took long to prepare, even
/// if the whole then takes up to half as long again.
double budgetOfNext(double budgetSeconds, double spentSeconds, int left, int parts);

/// Time after which a device counts as hung in an operation: `patience`, the budget, and the
/// operation itself on a very slow machine (1 GFLOP/s, 100 MB/s).
Milliseconds longestTime(const Operation& operation, double budgetSeconds, Milliseconds patience);

/// Asks the device to describe itself, for its peaks (if wanted and not known), and for one part
/// after the other; known parts first. A program that dies, sends garbage or hangs is restarted
/// once for the same part; then that part has failed, and the next one follows. After a second
/// silence nothing more is requested, and all waiting parts have failed: each would take as long.
/// If a device cannot describe itself it is unavailable, and every unknown part has failed.
///
/// Programs on one host (see Environment::hostId) would disturb each other, whatever their devices
/// are called: calls in this program that measure on the same host take turns.
MeasuringOutcome measureParts(DeviceSession& session,
                              std::span<const MeasuredPart> plan,
                              const MeasuringOptions& options,
                              const std::stop_token& stop,
                              KnownResults& known,
                              const MeasuringObserver& observer);

} // namespace flopsmith
