// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/fit_screen.h"

#include "ui/theme/type_scale.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

namespace flopsmith::ui {
namespace {

constexpr QSize kFrame(4, 32); // border and title bar, which are unknown before the first show

} // namespace

QSize fittingSize(const QSize& wanted, const QSize& available)
{
    return wanted.boundedTo(available - kFrame);
}

void resizeToFit(QWidget& window, const QSize& wanted)
{
    const QScreen* screen =
        window.screen() != nullptr ? window.screen() : QGuiApplication::primaryScreen();
    const QSize grown = wanted * typeScale(window);
    window.resize(screen == nullptr ? grown
                                    : fittingSize(grown, screen->availableGeometry().size()));
}

} // namespace flopsmith::ui
