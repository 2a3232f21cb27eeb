// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/why/why.h"
#include "ui/theme/theme.h"

#include <QString>

namespace flopsmith::ui {

inline const QString kCopyLink = QStringLiteral("copy:");
inline const QString kPageLink = QStringLiteral("page:"); ///< followed by the view's id

/// A card that says how a figure comes about: rich text in the theme's colours, with a link to the
/// page that has more and one that copies the card.
QString whySheet(const Why& why, const Theme& theme);

} // namespace flopsmith::ui
