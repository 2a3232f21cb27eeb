// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/type_scale.h"

#include <gtest/gtest.h>

#include <QWidget>

namespace flopsmith::ui {
namespace {

QFont typeOf(int pixels)
{
    QFont font;
    font.setPixelSize(pixels);
    return font;
}

TEST(TypeScale, SizesGrowWithTheTypeButNeverShrink)
{
    QWidget widget;
    widget.setFont(typeOf(13));
    EXPECT_EQ(typeScale(widget), 1.0);
    EXPECT_EQ(scaledToType(24, widget), 24);

    widget.setFont(typeOf(26));
    EXPECT_EQ(typeScale(widget), 2.0);
    EXPECT_EQ(scaledToType(24, widget), 48);

    widget.setFont(typeOf(9));
    EXPECT_EQ(scaledToType(24, widget), 24);
}

} // namespace
} // namespace flopsmith::ui
