// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/class_lock.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QObject>

#include <vector>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;
class NumberChip;

/// The workload in the tool bar: its phase, batch size, sequence and context, as far as they apply
/// and no teacher hides them.
class WorkloadChips : public QObject
{
    Q_OBJECT

public:
    WorkloadChips(Document& document, QWidget& bar, QHBoxLayout& line);

    /// The number box of "batch", "seq" or "context", or null.
    NumberChip* number(const QString& key);

private:
    struct Number
    {
        Parameter parameter;
        NumberChip* chip;
    };

    void addPhase(const Parameter& parameter);
    void addNumber(const Parameter& parameter, QWidget& bar, QHBoxLayout& line);
    const ClassLock* lockOf(const Parameter& parameter) const;
    void showScenario();
    void showNumber(const Number& number);
    void showClassLocks();

    Document& m_document;
    EditBurst m_burst;
    ChoiceChip* m_phase;
    Parameter m_phaseParameter;
    std::vector<Number> m_numbers;
};

} // namespace flopsmith::ui
