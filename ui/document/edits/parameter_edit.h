// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"

#include <QString>

#include <vector>

namespace flopsmith::ui {

class Document;

// Edits of parameters, each one undo step.

/// Sets a parameter, on all selected runs if it belongs to one of several, and repairs dependent
/// values that became illegal; these are restored when they are legal again, and the notice names
/// them. Within a gesture of the history all changes of one parameter are one undo step. Each starts
/// from the scenario at the beginning of the gesture, so that dependent values are restored, and
/// returning to it leaves no step.
bool setParameter(Document& document, const Parameter& parameter, const FieldValue& value);

/// The same on these runs, one of which is the parameter's own, whatever is selected. None: on its
/// own run, or of the model or the workload.
bool setParameter(Document& document,
                  const std::vector<int>& runs,
                  const Parameter& parameter,
                  const FieldValue& value);

/// Sets a parameter to the typed value, or to the nearest legal one: then the notice says why, and
/// how the typed value would become legal.
void enterParameter(Document& document, const Parameter& parameter, const FieldValue& typed);

/// Sets the parameter to what an expression of another one gives ("4*d_model"). Else a notice says
/// that the text is not a value of it.
void enterText(Document& document, const Parameter& parameter, const QString& typed);

/// Applies the alternative that the document's notice offers.
void takeAlternative(Document& document);

} // namespace flopsmith::ui
