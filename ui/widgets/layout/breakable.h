// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace flopsmith::ui {

/// A sentence whose lines may end inside of very long words: a file's name without blanks is no
/// reason for a wider window.
QString breakable(const QString& sentence);

} // namespace flopsmith::ui
