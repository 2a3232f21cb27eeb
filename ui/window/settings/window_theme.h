// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/settings/window_settings.h"

#include <QObject>

namespace flopsmith::ui {

/// The theme of the window: the one that the settings name, or another one for an audience.
class WindowTheme : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Shows the theme of a choice, which the settings keep.
    void choose(ThemeChoice choice);

    /// Shows a theme until the next one, whatever the settings say.
    void show(const Theme& theme);

Q_SIGNALS:
    void changed(); ///< icons are drawn in the colours of the theme before
};

} // namespace flopsmith::ui
