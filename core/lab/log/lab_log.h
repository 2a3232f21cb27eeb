// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/project/version.h"
#include "core/lab/log/log_line.h"
#include "core/lab/plan/lab_plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Which run: everything that its numbers follow from, besides the plan.
struct RunKey
{
    std::string arm;
    int seed = 0;
    double rate = 0.0;
    bool tuning = false; ///< a short run that finds the rate

    bool operator==(const RunKey&) const = default;
};

/// "spectral, seed 2, learning rate 0.003".
std::string keyText(const RunKey& key);

/// An evaluation, and what the run had cost until then.
struct LoggedPoint
{
    std::int64_t step = 0;
    double flops = 0.0;
    double seconds = 0.0; ///< of the steps alone
    double loss = 0.0;
    double score = 0.0; ///< as the task is scored

    bool operator==(const LoggedPoint&) const = default;
};

/// The norm of the gradients of a part of the model, before clipping.
struct PartNorm
{
    std::string part; ///< its path: "blocks[0]/ffn"
    double norm = 0.0;

    bool operator==(const PartNorm&) const = default;
};

enum class RunEnd {
    open, ///< under way, or stopped
    finished,
    diverged,
};

/// What consecutive steps report.
struct LoggedSteps
{
    std::vector<double> losses{}; ///< before each step
    std::vector<double> gradientNorms{};
    std::vector<double> balanceLosses{}; ///< of mixtures of experts; empty without
    std::vector<double> loadEntropies{}; ///< over ln E, 0 … 1; empty without experts

    std::int64_t count() const { return static_cast<std::int64_t>(losses.size()); }
    void append(const LoggedSteps& more);
    void truncate(std::int64_t count); ///< leaves the first ones

    bool operator==(const LoggedSteps&) const = default;
};

/// A cool-down of a run for one view. It starts from a state of the run at a constant rate; the run
/// itself continues as if there were no branch.
struct LoggedBranch
{
    LabView view = LabView::steps;
    std::int64_t from = 0; ///< the step of the run after which it begins
    std::int64_t steps = 0; ///< planned, those before it too
    RunEnd end = RunEnd::open;
    LoggedSteps curves{}; ///< of the steps after `from`
    std::vector<LoggedPoint> points{};

    bool operator==(const LoggedBranch&) const = default;
};

struct LoggedRun
{
    RunKey key;
    std::int64_t steps = 0; ///< planned
    std::int64_t parameters = 0;
    RunEnd end = RunEnd::open;
    LoggedSteps curves{}; ///< of all steps
    std::vector<LoggedPoint> points; ///< ascending in steps
    std::vector<LoggedBranch> branches{};
    /// What the last tensors of each FFN were multiplied by before the first step, by its path.
    std::map<std::string, double> calibration{};
    std::vector<PartNorm> parts{}; ///< of the last step that reported them

    const LoggedBranch* branch(LabView view) const;

    bool operator==(const LoggedRun&) const = default;
};

/// How long and how many FLOPs a step of an arm takes, with nothing beside it on its machine.
struct ArmTiming
{
    std::int64_t steps = 0; ///< that were measured
    double stepSeconds = 0.0; ///< their median
    double stepFlops = 0.0;

    bool operator==(const ArmTiming&) const = default;
};

/// By arm.
using ArmTimings = std::map<std::string, ArmTiming>;

/// The content of a log, without its damaged lines.
struct LabLog
{
    LabPlan plan;
    std::string machine; ///< where it was begun
    std::string program{}; ///< the version that began it; empty: unknown
    /// By their numbers. Runs side by side begin in any order: one that has not begun has no arm.
    std::vector<LoggedRun> runs;
    ArmTimings timings{};
    std::size_t damagedLines = 0;

    const LoggedRun* run(const RunKey& key) const;
};

// The lines of a log: a JSON object each, the first one with the plan.

inline constexpr const char* kLogKey = "flopsmith_lab_log";
inline constexpr int kLogFormat = 1;
inline constexpr std::size_t kMaxLoggedRuns = 100'000; ///< lines of others are damaged

/// With the version of this program, or another one.
LogLine headerLine(const LabPlan& plan,
                   const std::string& machine,
                   std::string_view program = programVersion());

/// Begins the run of this number, or begins it anew: what was logged of it is void.
LogLine startLine(std::size_t run,
                  const RunKey& key,
                  std::int64_t steps,
                  std::int64_t parameters,
                  const std::map<std::string, double>& calibration = {});

/// Which part of a run a line is about: the run itself, or its branch for a view.
struct RunPart
{
    RunPart(std::size_t number, std::optional<LabView> view = std::nullopt) // NOLINT: a run alone
        : run(number)
        , branch(view)
    {}

    std::size_t run;
    std::optional<LabView> branch;
};

/// Begins a branch after a step of its run, or begins it anew.
LogLine branchLine(const RunPart& part, std::int64_t from, std::int64_t steps);

/// Continues after this step: what was logged of later ones is void. For a run, so are the branches
/// that begin later.
LogLine resumedLine(const RunPart& part, std::int64_t step);

/// What the steps up to `last` reported.
LogLine stepsLine(const RunPart& part, std::int64_t last, const LoggedSteps& steps);
LogLine pointLine(const RunPart& part, const LoggedPoint& point, Count flops);
LogLine endLine(const RunPart& part, RunEnd end, std::int64_t step);

LogLine timingLine(const std::string& arm, const ArmTiming& timing, Count stepFlops);

/// All lines of a run, as they stand in the file.
std::string runLines(std::size_t number, const LoggedRun& run);

/// The gradients of the last step that was logged, part by part.
LogLine partsLine(std::size_t run, std::int64_t step, std::span<const PartNorm> parts);

/// Adds a line. False if it is damaged, or belongs to no known run.
bool applyLine(const LogLine& line, LabLog& log);

/// Whether the line is one of this run: of its number, and its start with its key.
bool isLineOf(const LogLine& line, std::size_t number, const RunKey& key);

/// Reads a log. Lines that are damaged are counted and left out; without a whole first line it is an
/// Error.
Result<LabLog> parsedLabLog(std::string_view text, const std::string& source);

} // namespace flopsmith
