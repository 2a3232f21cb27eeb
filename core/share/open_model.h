// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/reading.h"

#include <string>

namespace flopsmith {

/// What a person means by a name, a path or a code.
enum class NamedKind {
    model, ///< a preset, a project, a config.json or the folder of one: openedModel() says which
    shareCode, ///< or its link; there is no file of that name
    lesson,
    exercise,
    answer, ///< of an exercise
    lab, ///< or a log of one
};

/// The kind of a name that need not exist: files by their suffix.
NamedKind namedKind(const std::string& nameOrPath);

/// A model that a person names: anything that loadModel() accepts, or a share code or its link.
Result<Loaded> openedModel(const std::string& nameOrPath,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

/// The name in a message: the text itself, but only the two ends of a share code.
std::string modelText(const std::string& nameOrPath);

} // namespace flopsmith
