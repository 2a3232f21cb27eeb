// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/fit_screen.h"

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
    window.resize(screen == nullptr ? wanted
                                    : fittingSize(wanted, screen->availableGeometry().size()));
}

} // namespace flopsmith::ui
