// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <vector>

namespace flopsmith::ui {

/// One row of the list.
struct KeyLine
{
    QString group; ///< "File", "Edit"
    QString what;
    QString keys; ///< "Ctrl+Shift+S"
};

/// All current shortcuts of the window: those of its actions and buttons, by menu, and the keys of
/// the stack and of value boxes.
std::vector<KeyLine> keyLines(const QWidget& window);

/// Shows the rows as a table in a separate window.
class KeysSheet : public QDialog
{
    Q_OBJECT

public:
    explicit KeysSheet(QWidget& window);
};

} // namespace flopsmith::ui
