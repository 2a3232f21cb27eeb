// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/plan/task_spec.h"

#include <QFrame>

#include <cstdint>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QMenu;
class QVBoxLayout;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;
class LabSession;
class NumberChip;

/// Steps of a run that suit a task.
std::int64_t usualSteps(const TaskSpec& task);

/// The head of the lab's page: task, sizes, seeds and budget, and the menu of its files.
class PlanBar : public QFrame
{
    Q_OBJECT

public:
    explicit PlanBar(LabSession& session, QWidget* parent = nullptr);

    QMenu& files() { return *m_files; }

    /// The name of the place that the first button leads back to, and a sentence that says so.
    void setBack(const QString& name, const QString& help);

    /// Below the line of choices.
    void addRow(QWidget* row);

    void updateIcons();

Q_SIGNALS:
    void left(); ///< back to the design
    void refused(const QString& sentence);
    void textFileRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitNumbers();
    void createBack();
    void createTask();
    void createSizes();
    void createNumbers();
    void createFiles();
    void showPlan();
    void showBudget();
    template <class Edit>
    void change(const Edit& edit);
    void takeNumber(NumberChip& chip, void (PlanBar::*take)(std::int64_t));
    void setSeeds(std::int64_t seeds);
    void setBudget(std::int64_t amount);
    void setBudgetKind(bool steps);

    LabSession& m_session;
    QVBoxLayout* m_column;
    QHBoxLayout* m_line;
    QToolButton* m_back;
    ChoiceChip* m_task;
    ChoiceChip* m_sizes;
    NumberChip* m_seeds;
    ChoiceChip* m_kind;
    NumberChip* m_budget;
    QToolButton* m_more;
    QMenu* m_files;
};

} // namespace flopsmith::ui
