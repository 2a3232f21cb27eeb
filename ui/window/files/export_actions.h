// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/export/export_dialog.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Export" in the "File" menu: an entry for each target, which opens its dialog.
class ExportActions : public QObject
{
    Q_OBJECT

public:
    ExportActions(Document& document, QWidget& window);

    void addTo(QMenu& menu);

    /// Opens the dialog of the target, or brings it to the front.
    ExportDialog& show(const ExportTarget& target);

private:
    Document& m_document;
    QWidget& m_window;
};

} // namespace flopsmith::ui
