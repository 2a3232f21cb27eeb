// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Pages;

/// "Copy share code" and "Share…" of the file menu: the document with its lens, its ties and locks
/// and the page of charts that is shown, as a short text.
class ShareActions : public QObject
{
    Q_OBJECT

public:
    ShareActions(Document& document, const Pages& pages, QWidget& window);

    void fill(QMenu& menu);

Q_SIGNALS:
    /// The code is on the clipboard; the sentence says how long it is.
    void copied(const QString& sentence);

private:
    void add(QMenu& menu,
             const QString& name,
             const QString& text,
             const QKeySequence& keys,
             void (ShareActions::*act)(const QString& code));
    void copy(const QString& code);
    void show(const QString& code);

    Document& m_document;
    const Pages& m_pages;
    QWidget& m_window;
};

} // namespace flopsmith::ui
