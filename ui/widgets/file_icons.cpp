// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_icons.h"

#include "core/base/file_suffix.h"
#include "core/share/open_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QFileInfo>

namespace flopsmith::ui {
namespace {

bool opensHere(const std::string& name)
{
    return name == "config.json" || hasSuffix(name, kProjectSuffix)
        || namedKind(name) != NamedKind::model;
}

} // namespace

// All are drawn here, because the dialog asks from a thread of its own.
FileIcons::FileIcons()
    : m_folder(themedIcon(QStringLiteral("folder"), systemTheme().mutedText))
    , m_file(themedIcon(QStringLiteral("file"), systemTheme().mutedText))
    , m_own(programIcon())
{}

QIcon FileIcons::icon(const QFileInfo& file) const
{
    return file.isDir() ? m_folder : opensHere(file.fileName().toStdString()) ? m_own : m_file;
}

} // namespace flopsmith::ui
