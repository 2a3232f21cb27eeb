// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/lab_plan.h"

#include <cstddef>
#include <cstdint>
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

/// "spectral, seed 2, rate 0.003".
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

enum class RunEnd {
    open, ///< going on, or stopped
    finished,
    diverged,
};

struct LoggedRun
{
    RunKey key;
    std::int64_t steps = 0; ///< planned
    std::int64_t parameters = 0;
    RunEnd end = RunEnd::open;
    std::vector<double> losses; ///< of step 1, 2, … before each step
    std::vector<double> gradientNorms;
    std::vector<LoggedPoint> points; ///< ascending in steps

    bool operator==(const LoggedRun&) const = default;
};

/// What a log says, read over damaged lines.
struct LabLog
{
    LabPlan plan;
    std::string machine; ///< where it was begun
    /// By their numbers. Runs side by side begin in any order: one that has not is without an arm.
    std::vector<LoggedRun> runs;
    std::size_t damagedLines = 0;

    const LoggedRun* run(const RunKey& key) const;
};

// The lines of a log: JSON that stands for itself, the first one the plan.

std::string headerLine(const LabPlan& plan, const std::string& machine);

/// Begins the run of this number, or begins it anew: what was logged of it is void.
std::string startLine(std::size_t run,
                      const RunKey& key,
                      std::int64_t steps,
                      std::int64_t parameters);

/// Goes on after this step: what was logged of later ones is void.
std::string resumedLine(std::size_t run, std::int64_t step);

/// Losses and norms of the steps up to `last`.
std::string stepsLine(std::size_t run,
                      std::int64_t last,
                      std::span<const double> losses,
                      std::span<const double> gradientNorms);
std::string pointLine(std::size_t run, const LoggedPoint& point, Count flops);
std::string endLine(std::size_t run, RunEnd end, std::int64_t step);

/// Adds what a line says. False if it is damaged, or belongs to no run that is known.
bool applyLine(std::string_view line, LabLog& log);

/// Reads a log. Lines that are damaged are counted and left out; without a whole first line it is an
/// Error.
Result<LabLog> parsedLabLog(std::string_view text, const std::string& source);

} // namespace flopsmith
