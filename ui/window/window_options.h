// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace flopsmith::ui {

/// The options of the command line for the window.
struct WindowOptions
{
    QString file; ///< preset id, project or config.json to start with; empty: the first example
    bool last = false; ///< start with the file opened or saved last
    QString theme; ///< "light", "dark", "contrast" or "system"; empty: as it was last time
    std::optional<QSize> size; ///< of the window; empty: as it was last time

    /// Save a screenshot here as soon as all charts are painted, and quit.
    QString screenshot;
    QStringList actions; ///< object names of actions to trigger before it, in this order
    QString journal; ///< folder of the crash journals; empty: none are kept
    QString store; ///< file of measured results; empty: none is used
    bool measured = false; ///< … after all run times are measured
    bool lecture = false; ///< start in lecture mode
    bool startPage = false; ///< show the start page if the settings allow it
};

} // namespace flopsmith::ui
