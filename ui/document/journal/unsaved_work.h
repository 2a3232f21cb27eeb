// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/journal/journal_file.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <vector>

namespace flopsmith::ui {

/// Journals of crashed programs with unsaved work, newest first, unreadable ones last. Removes
/// journals whose work is already saved.
std::vector<AbandonedJournal> unsavedWork(const std::filesystem::path& folder);

/// "Flopsmith did not close properly at 14:05. Unsaved work on small.flopsmith: 3 steps, the last
/// “Set d_model”.", or why the journal cannot be read. With a date if it was another day.
QString sentenceOf(const AbandonedJournal& journal, const QDateTime& now);

} // namespace flopsmith::ui
