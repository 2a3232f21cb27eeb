// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

/// Recently opened or saved files, newest first, at most kMaxRecent; kept in the settings.
inline constexpr int kMaxRecent = 8;

QStringList recentFiles();
void addRecentFile(const QString& path);
void removeRecentFile(const QString& path);
void clearRecentFiles();

} // namespace flopsmith::ui
