// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

/// Files opened or saved lately, the newest first, kept in the settings: at most kMaxRecent.
inline constexpr int kMaxRecent = 8;

QStringList recentFiles();
void addRecentFile(const QString& path);
void removeRecentFile(const QString& path);
void clearRecentFiles();

} // namespace flopsmith::ui
