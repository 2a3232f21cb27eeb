// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace flopsmith::ui {

/// The representation of texts in an SVG drawing.
enum class SvgText {
    asText, ///< can be searched and edited; keeps place and width in any font
    asOutlines, ///< drawn, and so the same everywhere
};

/// Makes a drawing of QSvgGenerator portable: it names one font without fallback, so that a viewer
/// without that font shows texts of another width and shape. As text, each gets a generic family
/// after its font and the length that it had here; as outlines, it becomes a path. Anything but SVG
/// is unchanged.
QByteArray withPortableTexts(const QByteArray& svg, SvgText texts);

} // namespace flopsmith::ui
