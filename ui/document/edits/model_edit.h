// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace flopsmith {
struct Model;
struct Preset;
} // namespace flopsmith

namespace flopsmith::ui {

class Document;

/// Replaces the model and keeps the workload, as one undo step; a preset has a precision of its own.
void replaceModel(Document& document, const Model& model);
void replaceModel(Document& document, const Preset& preset);

/// Renames the model, as one undo step.
void renameModel(Document& document, const QString& name);

} // namespace flopsmith::ui
