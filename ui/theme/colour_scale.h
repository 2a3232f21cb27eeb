// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace flopsmith::ui {

/// The colour of a share from 0 to 1, the same in every theme: from dark violet through green to
/// yellow. Lightness grows uniformly, so that it can be read in grey too.
QColor scaleColour(double share);

/// Black or white, whichever is easier to read on an opaque colour: at least 4.5:1.
QColor textOn(const QColor& fill);

} // namespace flopsmith::ui
