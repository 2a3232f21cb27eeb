// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <memory>
#include <vector>

namespace flopsmith {

/// Which values of a scenario need a verdict: those in parts that differ from the scenario whose values
/// this thread last found legal. A slider's step changes one block of a thousand, or it is judged once
/// where it is repaired and needs no second verdict.
class Unjudged
{
public:
    explicit Unjudged(const Scenario& scenario);

    bool needsVerdict(const Parameter& parameter) const;

private:
    const Scenario& m_scenario;
    std::shared_ptr<const Scenario> m_legal; ///< null: all values need one
    bool m_isSame = false; ///< as the legal one, as a whole
    bool m_hasSameWidth = false;
    bool m_hasSameHalves = false;
    std::vector<char> m_isSameRun; ///< of each run, whether it is as in the legal one
};

/// All values of the scenario are legal.
void rememberLegal(const Scenario& scenario);

} // namespace flopsmith
