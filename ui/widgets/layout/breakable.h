// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace flopsmith::ui {

/// Allows line breaks inside very long words, so that a file name without blanks does not make the
/// window wider.
QString breakable(const QString& sentence);

} // namespace flopsmith::ui
