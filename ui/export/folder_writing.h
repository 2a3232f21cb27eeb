// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_target.h"

#include <QObject>

#include <thread>
#include <vector>

namespace flopsmith::ui {

/// Writes the folder of an export on a thread of its own, so that the window stays responsive. The
/// destructor stops it and waits for the present computation.
class FolderWriting : public QObject
{
    Q_OBJECT

public:
    explicit FolderWriting(const ExportTarget& target, QObject* parent = nullptr);
    ~FolderWriting() override;

    /// finished() follows. Nothing happens while a folder is written.
    void start(const std::string& folder, const Project& project, const FolderOptions& options);

    /// finished() follows soon with an error, and there is no folder, unless it was just made.
    void stop();
    bool isRunning() const { return !m_threads.empty(); }

Q_SIGNALS:
    void finished(const flopsmith::Result<flopsmith::ui::ExportedFolder>& folder);

private:
    void report(const Result<ExportedFolder>& folder);

    const ExportTarget& m_target;
    std::vector<std::jthread> m_threads; ///< one at most; last, because it reports to the others
};

} // namespace flopsmith::ui
