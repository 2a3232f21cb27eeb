// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/landing_gap.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QWidget>

namespace flopsmith::ui {
namespace {

// A style that animates for this long; 0 is reduced motion.
class MotionStyle : public QProxyStyle
{
public:
    explicit MotionStyle(int milliseconds)
        : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
        , m_milliseconds(milliseconds)
    {}

    int styleHint(StyleHint hint,
                  const QStyleOption* option,
                  const QWidget* widget,
                  QStyleHintReturn* answer) const override
    {
        return hint == SH_Widget_Animation_Duration
            ? m_milliseconds
            : QProxyStyle::styleHint(hint, option, widget, answer);
    }

private:
    int m_milliseconds;
};

class LandingGapTest : public testing::Test
{
protected:
    LandingGapTest() { canvas.setStyle(&still); }

    MotionStyle still{0};
    QWidget canvas;
    LandingGap gap{canvas};
};

TEST_F(LandingGapTest, WhereNothingMovesItIsOpenAtOnce)
{
    gap.open(100.0, 30.0);

    ASSERT_TRUE(gap.shown(5.0, 200.0));
    EXPECT_EQ(*gap.shown(5.0, 200.0), QRectF(5.0, 100.0, 200.0, 30.0));
    EXPECT_EQ(gap.shiftAt(99.0), 0.0);
    EXPECT_EQ(gap.shiftAt(100.0), 30.0);

    gap.open(40.0, 30.0);
    EXPECT_EQ(*gap.shown(5.0, 200.0), QRectF(5.0, 40.0, 200.0, 30.0));
    gap.close();
    EXPECT_FALSE(gap.shown(5.0, 200.0));
    EXPECT_EQ(gap.shiftAt(500.0), 0.0);
}

TEST_F(LandingGapTest, ElsewhereItOpensByAndBy)
{
    MotionStyle moving(200);
    canvas.setStyle(&moving);

    gap.open(100.0, 30.0);

    EXPECT_LT(gap.shown(0.0, 200.0)->height(), 30.0);
    gap.reset();
    EXPECT_FALSE(gap.shown(0.0, 200.0));
    canvas.setStyle(&still);
}

TEST_F(LandingGapTest, NoGapMovesRowsFurtherThanTheyMayBePainted)
{
    gap.open(100.0, 10'000.0);

    EXPECT_LE(2.0 * gap.shiftAt(200.0), LandingGap::kMaxShift); // one opens while another closes
}

TEST_F(LandingGapTest, WhatItCutsIsPaintedInTwoParts)
{
    QImage image(200, 300, QImage::Format_RGB32);
    QPainter painter(&image);
    std::vector<double> shifts;
    std::vector<QRectF> clips;
    const auto paint = [&] {
        shifts.push_back(painter.transform().dy());
        clips.push_back(painter.clipBoundingRect());
    };
    gap.open(100.0, 30.0);

    gap.paintParted(painter, QRectF(0.0, 80.0, 200.0, 60.0), paint);
    EXPECT_EQ(shifts, (std::vector<double>{0.0, 30.0}));
    EXPECT_EQ(
        clips,
        (std::vector<QRectF>{QRectF(0.0, 80.0, 200.0, 20.0), QRectF(0.0, 100.0, 200.0, 40.0)}));

    shifts.clear();
    gap.paintParted(painter, QRectF(0.0, 20.0, 200.0, 60.0), paint);
    gap.paintParted(painter, QRectF(0.0, 110.0, 200.0, 60.0), paint);
    EXPECT_EQ(shifts, (std::vector<double>{0.0, 30.0}));
    EXPECT_EQ(painter.transform().dy(), 0.0);
}

} // namespace
} // namespace flopsmith::ui
