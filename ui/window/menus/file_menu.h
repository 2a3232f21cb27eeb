// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/parts/window_parts.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "File": designs and lessons in files, and what a design is given away as.
class FileMenu : public QObject
{
    Q_OBJECT

public:
    FileMenu(QMenu& menu, const WindowParts& parts);

private:
    void addFiles(QMenu& menu);
    void addOpenLast(QMenu& menu);
    void addQuit(QMenu& menu);
    void fillRecent(QMenu& menu);
    void rename();
    void addSharing(QMenu& menu);
    void addExports(QMenu& menu);
    void openPasted(const QString& text);
    void showStartPage();

    WindowParts m_parts;
};

} // namespace flopsmith::ui
