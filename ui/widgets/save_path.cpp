// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_path.h"

#include "ui/widgets/file_icons.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

namespace flopsmith::ui {

QString suffixOfFilter(const QString& filter)
{
    static const QRegularExpression kEnding(QStringLiteral("\\*\\.([\\w-]+)"));
    return kEnding.match(filter).captured(1);
}

QString askSavePath(QWidget& parent,
                    const QString& title,
                    const QString& start,
                    const QString& filters)
{
    FileIcons icons; // which the dialog needs to its end
    QFileDialog dialog(&parent, title, QFileInfo(start).absolutePath(), filters);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setIconProvider(&icons);
    dialog.setDefaultSuffix(suffixOfFilter(dialog.selectedNameFilter()));
    QObject::connect(
        &dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
            dialog.setDefaultSuffix(suffixOfFilter(filter));
        });
    dialog.selectFile(QFileInfo(start).fileName());
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().front() : QString();
}

} // namespace flopsmith::ui
