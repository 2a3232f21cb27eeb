// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileIconProvider>
#include <QIcon>

namespace flopsmith::ui {

/// Icons of files and folders in the colours of the theme, for file dialogs that the platform does not
/// draw: what opens in this program has its icon.
class FileIcons : public QFileIconProvider
{
public:
    FileIcons();

    QIcon icon(const QFileInfo& file) const override;

private:
    QIcon m_folder;
    QIcon m_file;
    QIcon m_own;
};

} // namespace flopsmith::ui
