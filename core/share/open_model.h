// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/reading.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// What a person means by a name, a path or a code.
enum class NamedKind {
    model, ///< a preset, a project, a config.json or the folder of one: openedModel() says which
    shareCode, ///< or its link; there is no file of that name
    text, ///< of a file itself: it begins as JSON does, and there is no file of that name
    lesson,
    exercise,
    answer, ///< of an exercise
    lab, ///< or a log of one
};

/// The kind of a name that need not exist: files by their suffix.
NamedKind namedKind(const std::string& nameOrPath);

/// A model that a person names: anything that loadModel() accepts, a share code or its link, or the
/// text of a project or of a config.json. Of another kind the Error says what the file is.
Result<Loaded> openedModel(const std::string& nameOrPath,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

/// The name that a pasted text is: without blanks around it, quotation marks, and the scheme of a
/// local file's address.
std::string pastedName(std::string_view text);

/// The name in a message: the text itself, but only the two ends of a share code.
std::string modelText(const std::string& nameOrPath);

} // namespace flopsmith
