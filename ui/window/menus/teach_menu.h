// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/parts/window_parts.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The menu Teach: lessons played and written, exercises, a design for a class, lecture mode.
class TeachMenu : public QObject
{
    Q_OBJECT

public:
    TeachMenu(QMenu& menu, const WindowParts& parts);

private:
    void addLessons(QMenu& menu);
    void addLecture(QMenu& menu);

    WindowParts m_parts;
};

} // namespace flopsmith::ui
