// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

inline constexpr int kMaxRecentLabs = 8;

/// The logs that were opened or begun last, newest first; saved in the settings. Files that are not
/// there are left out.
QStringList recentLabs();
void addRecentLab(const QString& path);

/// The log that was opened or begun last; empty where it is not there any more.
QString lastLab();

/// What a log compares, by its first line: "Text: dense, ultra (28 Nov 2026 01:10)"; the name of the
/// file where that line is none of a log.
QString labTitle(const QString& path);

} // namespace flopsmith::ui
