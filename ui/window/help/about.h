// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace flopsmith::ui {

/// Version, licences, and the libraries that the programs are built on.
class About : public QDialog
{
    Q_OBJECT

public:
    explicit About(QWidget* window);
};

} // namespace flopsmith::ui
