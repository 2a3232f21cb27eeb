// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/parameter/parameter_table.h"

#include <QString>

namespace flopsmith::ui {

class Document;

// Edits of the ties and locks of parameters.

/// Ties a parameter to an expression, on all runs on which setParameter() would set it, as one
/// undo step: "4*d_model". On an Error, which is one sentence, nothing changes.
Status tieParameter(Document& document, const Parameter& parameter, const QString& expression);

/// What tieParameter() would do, as a sentence.
Result<QString> tiePreview(const Document& document,
                           const Parameter& parameter,
                           const QString& expression);

/// Lets a tied or locked parameter be set again; its value stays.
void freeParameter(Document& document, const Parameter& parameter);

/// Locks a parameter at its value, on the same runs.
Status lockParameter(Document& document, const Parameter& parameter);

} // namespace flopsmith::ui
