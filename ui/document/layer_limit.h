// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <QString>

#include <cstdint>

namespace flopsmith::ui {

/// Why the model cannot have so many blocks more, as a sentence with the number of layers; empty if
/// it can. What stands in a pattern counts once for each of its repeats.
QString whyTooManyLayers(const Model& model, std::int64_t added);

/// How many blocks a model gets by `blocks` more behind a run: in a pattern they come in each of
/// its repeats.
std::int64_t addedBehind(const Model& model, int run, std::int64_t blocks);

} // namespace flopsmith::ui
