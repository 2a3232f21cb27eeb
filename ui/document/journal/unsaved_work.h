// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/journal/journal_file.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <vector>

namespace flopsmith::ui {

/// What crashes left behind and no file holds: the newest first, and at the end what cannot be
/// read. Journals whose work was saved after all are removed on the way.
std::vector<AbandonedJournal> unsavedWork(const std::filesystem::path& folder);

/// "Flopsmith did not close properly at 14:05. Unsaved work on small.flopsmith: 3 steps, the last
/// “Set d_model”.", or why the journal cannot be read. With a date if it was another day.
QString sentenceOf(const AbandonedJournal& journal, const QDateTime& now);

} // namespace flopsmith::ui
