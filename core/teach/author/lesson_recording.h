// SPDX-License-Identifier: MIT
#pragma once

#include "core/teach/play/lesson_view.h"

#include <string>
#include <vector>

// Records a person's actions as changes that a lesson's file can contain.
namespace flopsmith {

/// The change from one view to another, as far as a lesson can express it.
struct RecordedChange
{
    Shown shown{};
    /// One sentence for each change that no lesson can express; `shown` leaves it out.
    std::vector<std::string> notRecorded{};

    bool operator==(const RecordedChange&) const = default;
};

/// The change for which viewAfter(before, change) is `after`. A design is reached by a preset and
/// parameters, or not recorded at all. It gets its preset's name, and values without effect under
/// the other settings (a context outside of decode) may stay unchanged.
RecordedChange recordedChange(const LessonView& before, const LessonView& after);

/// Whether a lesson's design equals the wanted one except for its name, the division of equal
/// neighbouring blocks into runs, and values of the workload or model without effect.
bool isSameLessonDesign(const Scenario& made, const Scenario& wanted);

} // namespace flopsmith
