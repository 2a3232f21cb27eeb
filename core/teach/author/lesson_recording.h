// SPDX-License-Identifier: MIT
#pragma once

#include "core/teach/play/lesson_view.h"

#include <string>
#include <vector>

// What somebody does while a lesson is recorded, as a change that its file can have.
namespace flopsmith {

/// What turns one view into another, as far as a lesson can say it.
struct RecordedChange
{
    Shown shown{};
    /// One sentence for each thing that no lesson can say and that `shown` leaves as it was.
    std::vector<std::string> notRecorded{};

    bool operator==(const RecordedChange&) const = default;
};

/// The change for which viewAfter(before, change) is `after`. A design is reached by a preset and
/// parameters, or else not recorded at all. Its name is that of its preset, and values that mean
/// nothing under the other settings (a context outside of decode) may stay as they were.
RecordedChange recordedChange(const LessonView& before, const LessonView& after);

/// Whether a lesson's design is the wanted one but for its name, for neighbouring runs of equal
/// blocks, and for values of the workload or the model that mean nothing in it.
bool isSameLessonDesign(const Scenario& made, const Scenario& wanted);

} // namespace flopsmith
