// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/count/lens.h"
#include "core/io/project/kept_keys.h"
#include "core/json/json.h"
#include "core/model/model.h"
#include "core/note/note.h"
#include "core/parameter/class_lock.h"
#include "core/parameter/parameter_rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The newest version of the file format that this program reads. Version 2 added muted parts and
/// patterns; a file without any is written as version 1, which older programs read.
inline constexpr int kProjectFormat = 2;

/// The content of a `.flopsmith` file: the scenario, its ties and locks, class locks, notes, the
/// lens, and the state of the window.
struct Project
{
    Scenario scenario{};
    LensId lens = LensId::exact;
    std::string view{}; ///< of the window alone: a JSON object that is kept as it is, or empty
    ParameterRules rules{}; ///< a program without rules keeps them as they are in the file
    std::vector<ClassLock> classLocks{}; ///< of the controls that students have
    bool unlocked = false; ///< whether somebody lifted the class locks
    std::vector<Note> notes{}; ///< at parts of the model
    std::vector<KeptKey> kept{}; ///< keys of the file that this version does not know

    bool operator==(const Project&) const = default;
};

/// The file's text:
///   {"flopsmith": 1, "program": "0.1.0", "model": {…}, "workload": {…}, "rules": {…},
///    "class_locks": […], "unlocked": true, "notes": […], "lens": "exact", "view": {…}}
/// `rules`, `class_locks`, `unlocked`, `notes` and `view` are left out when empty; unknown keys
/// stay at their places. Reading the text gives an equal project.
std::string projectText(const Project& project);

/// Reads and validates. Newer formats, unknown variants, wrong types and impossible models are an
/// Error: one sentence that names `source` and the place. Workload, lens and view may be missing.
/// Unknown keys are kept.
Result<Project> parsedProject(std::string_view text, const std::string& source);

/// How to treat illegal numbers.
enum class Illegal {
    refuse,
    repair, ///< replace each by the nearest legal one with a note, if that makes the model legal
};

/// The same for JSON that is parsed already. `notes` gets a sentence for each unknown key
/// and each repaired number.
Result<Project> projectFromJson(const Json& json,
                                const std::string& source,
                                Illegal illegal = Illegal::refuse,
                                std::vector<std::string>* notes = nullptr);

} // namespace flopsmith
