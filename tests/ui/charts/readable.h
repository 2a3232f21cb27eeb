// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>

#include <string>

namespace flopsmith::ui {

// Where the ink of a label is: its box is as wide as the place it may take.
inline QRectF ink(const Label& label)
{
    const double width = textWidth(label.font, label.text) - 1.0;
    const double height = QFontMetricsF(label.font).capHeight();
    const double x = label.alignment.testFlag(Qt::AlignRight) ? label.rect.right() - width
        : label.alignment.testFlag(Qt::AlignHCenter)          ? label.rect.center().x() - width / 2
                                                              : label.rect.left();
    return {x, label.rect.center().y() - height / 2, width, height};
}

inline std::string described(const Label& label)
{
    const QRectF rect = ink(label);
    return label.text.toStdString() + " at " + std::to_string(rect.left()) + ", "
        + std::to_string(rect.top());
}

/// No text leaves the area, is too small, or lies over another.
inline void expectReadable(const Drawing& drawing, const QRectF& area, const std::string& what)
{
    const QRectF paper = area.adjusted(-2, -2, 2, 2);
    for (std::size_t i = 0; i < drawing.labels.size(); ++i) {
        const Label& label = drawing.labels[i];
        EXPECT_TRUE(paper.contains(ink(label))) << what << ": outside: " << described(label);
        EXPECT_GE(label.font.pixelSize(), 8) << what << ": " << described(label);
        for (std::size_t j = i + 1; j < drawing.labels.size(); ++j) {
            EXPECT_FALSE(ink(label).intersects(ink(drawing.labels[j])))
                << what << ": " << described(label) << " lies over "
                << described(drawing.labels[j]);
        }
    }
}

} // namespace flopsmith::ui
