// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/results/lab_results.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The comparison of two arms. `gain`: by how much the first is better on average, negative if it
/// is worse; over the seeds that both finished.
struct ArmComparison
{
    PairedDifference gain;

    bool isKnown() const { return gain.interval.count >= 2; }
};

ArmComparison comparedScores(const ArmResult& arm, const ArmResult& other, Score score);

/// "better than no FFN by 0.14 ± 0.02 (5 of 5 seeds)", "worse than …", or "not distinguishable from
/// no FFN (+0.00 ± 0.05, 5 seeds)": a difference is named only if its interval excludes 0.
std::string comparisonText(const ArmComparison& comparison, const std::string& other);

/// A sentence for each chosen arm: against no FFN, and against the dense FFN of the same cost. It names
/// what is not known.
std::vector<std::string> verdicts(const LabLog& log, LabView view);

/// The sentence for one arm of the results; a cut is named with its share of the steps.
std::string armVerdict(const ArmResult& arm, const LabResults& results, Score score);

/// What limits the view as a whole, in one sentence: what was equal, where it was cut, on which
/// machine.
std::string viewText(const LabLog& log, const LabResults& results);

/// What limits the verdicts, in two sentences: their width, and how many comparisons they make.
std::string limitsText(const LabLog& log, const LabResults& results);

/// All that is said of a view, a line each: what was equal, the verdicts, what limits them.
std::string verdictText(const LabLog& log, LabView view);

/// "1 seed", "3 seeds".
std::string seedsText(int seeds);

/// "0.723 ± 0.004", without an interval for a single seed; "–" for none.
std::string intervalText(const MeanInterval& interval, int digits = 3);

} // namespace flopsmith
