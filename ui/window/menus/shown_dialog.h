// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <utility>

namespace flopsmith::ui {

/// Opens the window's dialog of this kind, made of these arguments, or brings it to the front.
template <class Dialog, class... Arguments>
void showDialog(const QWidget& window, Arguments&&... arguments)
{
    auto* open = window.findChild<Dialog*>();
    auto* dialog = open != nullptr ? open : new Dialog(std::forward<Arguments>(arguments)...);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace flopsmith::ui
