// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "ui/theme/theme.h"

#include <QString>

namespace flopsmith::ui {

/// A formula on paper: typeset, with numbers put in, and what each letter means. Rich text in the
/// theme's colours, for a text browser.
QString formulaSheet(const Formula& formula, const Theme& theme);

/// A formula as it stands inside a derivation: typeset, numbers, value; nothing else.
QString formulaLines(const Formula& formula, const QString& unit, const Theme& theme);

} // namespace flopsmith::ui
