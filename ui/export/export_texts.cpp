// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_texts.h"

#include "core/base/text.h"
#include "ui/export/export_dialog.h"
#include "ui/theme/utf8.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QStorageInfo>
#include <QStyle>

#include <algorithm>

namespace flopsmith::ui {
namespace {

QString sizeText(std::int64_t bytes)
{
    return QString::fromStdString(bytesText(static_cast<double>(bytes)));
}

QString parametersText(const ExportedFolder& folder)
{
    return ExportDialog::tr("%1 parameters")
        .arg(QString::fromStdString(groupedDigits(folder.parameters)));
}

QString comparedText(const ExportTarget& target, const ExportedFolder& folder)
{
    if (folder.gradients) {
        return ExportDialog::tr("Outputs and gradients to compare with are computed.");
    }
    return folder.expected
        ? ExportDialog::tr(
              "Outputs to compare with are computed; gradients above %1 parameters only if asked "
              "for.")
              .arg(QString::fromStdString(siText(target.gradientsFrom)))
        : ExportDialog::tr(
            "The model is large: nothing to compare with is computed unless gradients are asked "
            "for.");
}

// The first notes after a text, and the number of further ones.
QString notedText(const QString& text, const ExportedFolder& folder)
{
    constexpr std::size_t kMaxNotes = 4;
    QString noted = text;
    for (std::size_t i = 0; i < std::min(kMaxNotes, folder.notes.size()); ++i) {
        noted += (i < 2 ? QLatin1Char(' ') : QLatin1Char('\n')) + fromUtf8(folder.notes[i]);
    }
    if (folder.notes.size() > kMaxNotes) {
        noted += QLatin1Char('\n')
            + ExportDialog::tr("and %1 more, which the folder's README.md lists.")
                  .arg(folder.notes.size() - kMaxNotes);
    }
    return noted;
}

} // namespace

QString plannedText(const ExportTarget& target,
                    const ExportedFolder& folder,
                    const FolderOptions& options)
{
    if (target.check.isEmpty()) {
        return notedText(
            options.weights
                ? ExportDialog::tr("%1, %2 on the disk.")
                      .arg(parametersText(folder), sizeText(folder.bytes))
                : ExportDialog::tr("%1, which are not written.").arg(parametersText(folder)),
            folder);
    }
    if (!options.weights) {
        return ExportDialog::tr(
                   "The program alone. Its model has %1, which are not written, and nothing to "
                   "compare with is computed.")
            .arg(parametersText(folder));
    }
    return ExportDialog::tr("%1, %2 on the disk. %3")
        .arg(parametersText(folder), sizeText(folder.bytes), comparedText(target, folder));
}

QString writtenText(const QString& folder, const ExportedFolder& written)
{
    const QString place = QDir::toNativeSeparators(folder);
    return written.bytes == 0
        ? ExportDialog::tr("Written: %1, the program without weights").arg(place)
        : ExportDialog::tr("Written: %1, %2, %3")
              .arg(place, parametersText(written), sizeText(written.bytes));
}

QString verdictText(const FolderVerdict& verdict, const QString& script)
{
    const QString python = QDir::toNativeSeparators(QString::fromStdString(verdict.python));
    const QString text = QString::fromStdString(verdict.text);
    switch (verdict.kind) {
    case FolderVerdict::Kind::equal:
        return ExportDialog::tr("Checked here by %1: %2").arg(python, text);
    case FolderVerdict::Kind::different:
        return ExportDialog::tr("Checked here by %1, and it is different: %2").arg(python, text);
    case FolderVerdict::Kind::notRun: break;
    }
    const QString reason = python.isEmpty() ? text : ExportDialog::tr("%1: %2").arg(python, text);
    return ExportDialog::tr("Not checked here (%1). Where a Python has torch: python %2")
        .arg(reason, QDir::toNativeSeparators(script));
}

Status checkedPlace(const QString& folder, const ExportedFolder& planned)
{
    const QString place = QDir::toNativeSeparators(folder);
    if (QFileInfo::exists(folder)) {
        return Error{ExportDialog::tr("%1 exists; name a new folder.").arg(place).toStdString()};
    }
    const QStorageInfo disk(QFileInfo(folder).absolutePath());
    if (disk.isValid() && disk.isReady() && disk.bytesAvailable() < planned.bytes) {
        return Error{ExportDialog::tr("%1 would take %2, and the disk has %3 free.")
                         .arg(place, sizeText(planned.bytes), sizeText(disk.bytesAvailable()))
                         .toStdString()};
    }
    return Done{};
}

void showSentence(QLabel& label, const QString& sentence, const char* role)
{
    label.setText(sentence);
    label.setAccessibleName(sentence);
    label.setVisible(!sentence.isEmpty());
    label.setProperty("role", QLatin1String(role));
    label.style()->unpolish(&label);
    label.style()->polish(&label);
}

QString suggestedFolderName(const QString& model, const ExportTarget& target)
{
    QString name = model + QLatin1Char('-') + target.name;
    for (QChar& character : name) {
        if (!character.isLetterOrNumber() && character != QLatin1Char('-')) {
            character = QLatin1Char('_');
        }
    }
    return name;
}

} // namespace flopsmith::ui
