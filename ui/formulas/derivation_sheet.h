// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/derivation.h"
#include "ui/theme/theme.h"

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

/// The first `shown` steps of a derivation, the last of them emphasised, as rich text in the
/// theme's colours. The symbols named in `movable` are marked (see formulaHtml()).
QString derivationSheet(const Derivation& derivation,
                        int shown,
                        const Theme& theme,
                        const QStringList& movable);

/// One step for a screen reader: title, formula, value and reason.
QString plainStep(const DerivationStep& step, const std::string& unit);

} // namespace flopsmith::ui
