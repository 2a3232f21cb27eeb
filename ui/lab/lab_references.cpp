// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_references.h"

#include "core/lab/task/task.h"

#include <QMetaObject>

#include <utility>

namespace flopsmith::ui {

LabReferences::LabReferences(QObject* parent)
    : QObject(parent)
{}

void LabReferences::find(const LabPlan& plan)
{
    if (m_hasAsked && plan.task == m_plan.task && plan.sizes == m_plan.sizes) {
        return;
    }
    m_hasAsked = true;
    m_plan = plan;
    m_all.clear();
    m_isOutdated = m_isBusy;
    if (!m_isBusy) {
        start();
    }
}

void LabReferences::start()
{
    m_isBusy = true;
    m_isOutdated = false;
    m_thread = std::jthread([this, plan = m_plan] {
        Result<std::vector<ReferenceScore>> all = referenceScores(plan.task, plan.sizes.dModel);
        QMetaObject::invokeMethod(this, [this, all = std::move(all)] { take(all); });
    });
}

void LabReferences::take(const Result<std::vector<ReferenceScore>>& all)
{
    m_isBusy = false;
    if (m_isOutdated) {
        start();
    } else if (all) {
        m_all = *all;
        Q_EMIT found();
    } else {
        Q_EMIT failed(QString::fromStdString(all.error().message));
    }
}

} // namespace flopsmith::ui

#include "moc_lab_references.cpp"
