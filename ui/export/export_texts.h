// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_target.h"
#include "ui/export/folder_check.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

// What is said of an export, in plain text.
namespace flopsmith::ui {

/// What a folder will hold and how large it will be.
QString plannedText(const ExportTarget& target,
                    const ExportedFolder& folder,
                    const FolderOptions& options);

/// What was written, and where.
QString writtenText(const QString& folder, const ExportedFolder& written);

/// Where it was checked and with what result; otherwise that it was not, why, and the command that
/// does it elsewhere.
QString verdictText(const FolderVerdict& verdict, const QString& script);

/// Says in one sentence why a folder cannot be made there: it exists, or the disk has not the space.
Status checkedPlace(const QString& folder, const ExportedFolder& planned);

/// Shows and tells a sentence; `role` is one of the style sheet's, or empty.
void showSentence(QLabel& label, const QString& sentence, const char* role = "");

/// A name for the folder of a model: "GPT-2_small-torch".
QString suggestedFolderName(const QString& model, const ExportTarget& target);

} // namespace flopsmith::ui
