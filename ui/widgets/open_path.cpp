// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/open_path.h"

#include "ui/widgets/file_icons.h"

#include <QFileDialog>
#include <QFileInfo>

namespace flopsmith::ui {

QString askOpenPath(QWidget& parent,
                    const QString& title,
                    const QString& start,
                    const QString& filters)
{
    const QFileInfo from(start);
    FileIcons icons; // which the dialog needs to its end
    QFileDialog dialog(&parent, title, from.isDir() ? start : from.absolutePath(), filters);
    dialog.setFileMode(QFileDialog::ExistingFile);
    dialog.setIconProvider(&icons);
    if (from.isFile()) {
        dialog.selectFile(from.fileName());
    }
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().front() : QString();
}

} // namespace flopsmith::ui
