// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/project/kept_keys.h"
#include "core/model/model.h"
#include "core/note/note.h"
#include "core/parameter/class_lock.h"
#include "core/parameter/parameter_rules.h"
#include "ui/document/selection.h"

#include <memory>
#include <vector>

namespace flopsmith::ui {

/// The state that undo and redo restore.
struct DocumentState
{
    Scenario scenario;
    Selection selection{};
    Wishes wishes{}; ///< values to restore when they are legal again; not saved
    std::vector<KeptKey> kept{}; ///< keys of the file that this version does not know
    ParameterRules rules{}; ///< ties, which hold after every change, and locks
    std::vector<ClassLock> classLocks{}; ///< of the controls that students have
    std::vector<Note> notes{}; ///< at parts of the model

    /// Whether both are the same design, whatever is selected.
    bool isAs(const DocumentState& other) const
    {
        return scenario == other.scenario && rules == other.rules && kept == other.kept
            && classLocks == other.classLocks && notes == other.notes;
    }

    bool operator==(const DocumentState&) const = default;
};

/// A state that the document, its history and its gestures share; it never changes.
using StatePtr = std::shared_ptr<const DocumentState>;

/// Lets wishes, kept keys, rules and notes go with their blocks through an edit. Notes that the edit
/// itself has changed only go away where they hold no more.
void carryOver(const DocumentState& before, DocumentState& after);

/// Follows the ties and keeps the locks after an edit of the stack; the Error says why the edit
/// cannot be.
Status keepRules(const Scenario& before, DocumentState& after);

} // namespace flopsmith::ui
