// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/explanations.h"

#include <QString>

namespace flopsmith::ui {

/// A title, the paragraph, the formula and the source, as rich text.
QString explanationText(const QString& title, const QString& formula, const Explanation& about);

/// The explanation of a parameter and of those choices that have one.
QString whatIs(const Parameter& parameter);

} // namespace flopsmith::ui
