// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/share_code.h"
#include "ui/window/commands/command_sources.h"
#include "ui/window/files/file_opening.h"

#include <QPointer>

namespace flopsmith::ui {

std::vector<TypedEntry> shareCodeCommands(const QString& query, QWidget& window)
{
    auto* files = window.findChild<FileOpening*>();
    if (files == nullptr || !isShareCode(query.toStdString())) {
        return {};
    }
    const Result<SharedDesign> design = parsedShareCode(query.toStdString(), Illegal::repair);
    TypedEntry entry;
    entry.title = FileOpening::tr("Open this share code");
    if (!design) {
        entry.refusal = QString::fromStdString(design.error().message);
        return {entry};
    }
    entry.detail = QString::fromStdString(design->project.scenario.model.name);
    entry.run = [pointer = QPointer<FileOpening>(files), query] {
        if (pointer != nullptr) {
            (void)pointer->openText(query); // it was read already
        }
    };
    return {entry};
}

} // namespace flopsmith::ui
