// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <optional>

namespace flopsmith::ui {

/// What the command line asks of the window.
struct WindowOptions
{
    QString file; ///< preset id, project or config.json to start with; empty: the first example
    bool last = false; ///< start with the file opened or saved last
    QString theme; ///< "light", "dark" or "system"; empty: as it was last time
    std::optional<QSize> size; ///< of the window; empty: as it was last time

    /// Save a picture of the window here as soon as all charts are painted, and end.
    QString screenshot;
    QString journal; ///< folder where unsaved work is kept for the case of a crash; empty: nowhere
    QString store; ///< file where results are kept; empty: nowhere
    bool measured = false; ///< … and all run times are measured
};

} // namespace flopsmith::ui
