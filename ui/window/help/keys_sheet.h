// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <vector>

namespace flopsmith::ui {

/// One line of the sheet.
struct KeyLine
{
    QString group; ///< "File", "Edit"
    QString what;
    QString keys; ///< "Ctrl+Shift+S"
};

/// Every key of the window: those of its actions and of its buttons, by menu, as they are now, and
/// what keys do inside the stack and a value box.
std::vector<KeyLine> keyLines(const QWidget& window);

/// The lines as a table, in a window of its own.
class KeysSheet : public QDialog
{
    Q_OBJECT

public:
    explicit KeysSheet(QWidget& window);
};

} // namespace flopsmith::ui
