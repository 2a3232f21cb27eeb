// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/reading_order.h"

#include "ui/theme/theme.h"
#include "ui/theme/theme_style.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStyleOptionViewItem>

namespace flopsmith::ui {
namespace {

constexpr QRect kPlace(0, 0, 200, 30);
const QString kHebrew = QStringLiteral("\u05D0\u05D1");

QImage blank()
{
    QImage image(kPlace.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    return image;
}

// A line of text that the painter draws in a window of this direction.
QImage drawn(const QString& text, Qt::Alignment alignment, Qt::LayoutDirection layout)
{
    QImage image = blank();
    QPainter painter(&image);
    painter.setLayoutDirection(layout);
    painter.drawText(kPlace, textFlags(alignment | Qt::AlignVCenter, text, layout), text);
    return image;
}

TEST(ReadingOrder, AWindowFromRightToLeftMovesATextAsItIs)
{
    for (const char* text : {"12 %", "\u2212218.7 GFLOPs", "(d_ff = 4)", "3 of 12."}) {
        const QString shown = QString::fromUtf8(text);
        EXPECT_EQ(drawn(shown, Qt::AlignLeft, Qt::RightToLeft),
                  drawn(shown, Qt::AlignRight, Qt::LeftToRight))
            << text;
        EXPECT_EQ(drawn(shown, Qt::AlignRight, Qt::RightToLeft),
                  drawn(shown, Qt::AlignLeft, Qt::LeftToRight))
            << text;
        EXPECT_NE(drawn(shown, Qt::AlignLeft, Qt::RightToLeft), blank()) << text;
    }
}

TEST(ReadingOrder, ATextFromRightToLeftKeepsItsOrderToo)
{
    const QString text = kHebrew + QStringLiteral(" 12.");
    EXPECT_NE(textFlags(Qt::AlignLeft, text, Qt::LeftToRight) & Qt::TextForceRightToLeft, 0);
    EXPECT_EQ(inOwnOrder(text), text);
    EXPECT_EQ(inOwnOrder({}), QString());
    EXPECT_EQ(inOwnOrder(QStringLiteral("12 %")), QStringLiteral("\u200E12 %\u200E"));
}

TEST(ReadingOrder, PlacesAreMirroredInTheirWidget)
{
    const QRectF widget(10, 0, 100, 20);
    const QRectF place(10, 5, 30, 10);

    EXPECT_EQ(mirroredIn(Qt::LeftToRight, widget, place), place);
    EXPECT_EQ(mirroredIn(Qt::RightToLeft, widget, place), QRectF(80, 5, 30, 10));
    EXPECT_EQ(mirroredIn(Qt::RightToLeft, widget, mirroredIn(Qt::RightToLeft, widget, place)),
              place);
}

// What labels and buttons draw.
TEST(ReadingOrder, TheStyleKeepsTheOrderOfATextInAWindowFromRightToLeft)
{
    const ThemeStyle style(lightTheme());
    const auto shown = [&style](Qt::Alignment alignment, Qt::LayoutDirection layout) {
        QImage image = blank();
        QPainter painter(&image);
        painter.setLayoutDirection(layout);
        style.drawItemText(&painter,
                           kPlace,
                           static_cast<int>(alignment | Qt::AlignVCenter),
                           QPalette(),
                           true,
                           QStringLiteral("12 %"));
        return image;
    };
    EXPECT_EQ(shown(Qt::AlignLeft, Qt::RightToLeft), shown(Qt::AlignRight, Qt::LeftToRight));
    EXPECT_EQ(shown(Qt::AlignRight, Qt::RightToLeft), shown(Qt::AlignLeft, Qt::LeftToRight));
}

} // namespace
} // namespace flopsmith::ui
