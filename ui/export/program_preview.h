// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "ui/export/export_target.h"

#include <QObject>

#include <optional>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// Writes programs and plans their folders on a thread of its own, so that the window stays
/// responsive. Only the newest of the designs that arrive meanwhile is next.
class ProgramPreview : public QObject
{
    Q_OBJECT

public:
    explicit ProgramPreview(const ExportTarget& target, QObject* parent = nullptr);
    ~ProgramPreview() override;

    /// written() follows, unless another design comes before.
    void write(const Scenario& scenario, const FolderOptions& options);

Q_SIGNALS:
    void written(const flopsmith::Result<std::string>& source,
                 const flopsmith::Result<flopsmith::ui::ExportedFolder>& folder);

private:
    struct Task
    {
        Scenario scenario;
        FolderOptions options;
    };

    void start(const Task& task);
    void report(const Result<std::string>& source, const Result<ExportedFolder>& folder);

    const ExportTarget& m_target;
    std::optional<Task> m_next;
    std::vector<std::jthread> m_threads; ///< one at most; last, because it reports to the others
};

} // namespace flopsmith::ui
