// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/lab/plan/lab_plan.h"

#include <QObject>
#include <QString>

#include <thread>
#include <vector>

namespace flopsmith::ui {

/// What a task's data and theory say of scores, found on a thread. It reads the task's text: so it is
/// also the first to see that one is too short.
class LabReferences : public QObject
{
    Q_OBJECT

public:
    explicit LabReferences(QObject* parent = nullptr);

    /// For the task and the sizes of a plan; nothing is done for the same ones again.
    void find(const LabPlan& plan);

    const std::vector<ReferenceScore>& all() const { return m_all; }

Q_SIGNALS:
    void found();
    void failed(const QString& sentence);

private:
    void start();
    void take(const Result<std::vector<ReferenceScore>>& all);

    LabPlan m_plan; ///< of the last question
    bool m_hasAsked = false;
    bool m_isBusy = false;
    bool m_isOutdated = false; ///< what is being found is of a question before
    std::vector<ReferenceScore> m_all;
    std::jthread m_thread;
};

} // namespace flopsmith::ui
