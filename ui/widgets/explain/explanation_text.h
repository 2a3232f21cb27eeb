// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/explanations.h"

#include <QString>

namespace flopsmith::ui {

/// A title, the paragraph, the formula and the source, as rich text.
QString explanationText(const QString& title, const QString& formula, const Explanation& about);

/// What a parameter is, and what those of its choices are that have a text of their own.
QString whatIs(const Parameter& parameter);

} // namespace flopsmith::ui
