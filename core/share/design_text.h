// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/project/project_file.h"

#include <string>

namespace flopsmith {

/// The project as a share code compresses it: its file on one line, without the window's section
/// and default values. A field that a later version adds does not change the text of older designs.
/// A project with unknown keys is written in full, so that they keep their places.
std::string sharedText(const Project& project);

/// The same with every value written.
std::string sharedTextInFull(const Project& project);

} // namespace flopsmith
