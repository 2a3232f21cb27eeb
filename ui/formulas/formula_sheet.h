// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "ui/theme/theme.h"

#include <QString>

namespace flopsmith::ui {

/// A formula typeset, with numbers substituted, and with the meaning of each symbol. Rich text in
/// the theme's colours, for a text browser.
QString formulaSheet(const Formula& formula, const Theme& theme);

/// A formula inside a derivation: typeset, with numbers and value only.
QString formulaLines(const Formula& formula, const QString& unit, const Theme& theme);

} // namespace flopsmith::ui
