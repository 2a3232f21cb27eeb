// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace flopsmith::ui {

/// How an SVG drawing holds its texts.
enum class SvgText {
    asText, ///< can be searched and edited; keeps its place and width in whatever font is there
    asOutlines, ///< drawn, and so the same everywhere
};

/// A drawing of QSvgGenerator, which names one font and nothing to fall back on, so that a viewer
/// without it shows texts of another width and shape. As text, each gets a generic family behind its
/// font and the length that it had here; as outlines, it is a path. What is no SVG stays as it is.
QByteArray withPortableTexts(const QByteArray& svg, SvgText texts);

} // namespace flopsmith::ui
