// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_target.h"
#include "ui/export/folder_check.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

// Texts about an export, in plain text.
namespace flopsmith::ui {

/// The planned content of a folder and its size.
QString plannedText(const ExportTarget& target,
                    const ExportedFolder& folder,
                    const FolderOptions& options);

/// The written files, and their folder.
QString writtenText(const QString& folder, const ExportedFolder& written);

/// Where it was checked and with what result; otherwise why it was not, and the command for
/// checking it elsewhere.
QString verdictText(const FolderVerdict& verdict, const QString& script);

/// One sentence why a folder cannot be created there: it exists, or the disk is too full.
Status checkedPlace(const QString& folder, const ExportedFolder& planned);

/// Shows a sentence and announces it; `role` is one of the style sheet's, or empty.
void showSentence(QLabel& label, const QString& sentence, const char* role = "");

/// A name for the folder of a model: "GPT-2_small-torch".
QString suggestedFolderName(const QString& model, const ExportTarget& target);

} // namespace flopsmith::ui
