// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/workload_chips.h"

#include "core/parameter/correction.h"
#include "ui/document/document.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/explain/explanation_text.h"
#include "ui/widgets/values/value_text.h"
#include "ui/window/bars/locked_control.h"

#include <QHBoxLayout>
#include <QMenu>

#include <algorithm>

namespace flopsmith::ui {
namespace {

bool isShownNumber(const Parameter& parameter)
{
    return parameter.key == "batch" || parameter.key == "seq" || parameter.key == "context";
}

// A short number fits for B and a long one for S and C, and whatever the value is.
int boxWidth(const ValueBox& box, const Parameter& parameter)
{
    const int usual = parameter.key == "batch" ? 3 : 6;
    const auto digits = static_cast<int>(boxText(box.value()).size());
    const QString widest(std::max(usual, digits), QLatin1Char('0'));
    return box.fontMetrics().horizontalAdvance(widest) + 10;
}

} // namespace

WorkloadChips::WorkloadChips(Document& document, QWidget& bar, QHBoxLayout& line)
    : QObject(&bar)
    , m_document(document)
    , m_burst(document)
    , m_phase(new ChoiceChip(QStringLiteral("phase"), tr("Phase"), tr("Phase"), &bar))
{
    m_phase->setCharacters(7, 28);
    line.addWidget(m_phase);
    for (const Parameter& parameter : workloadParameters()) {
        if (parameter.key == "phase") {
            addPhase(parameter);
        } else if (isShownNumber(parameter)) {
            addNumber(parameter, bar, line);
        }
    }
    connect(&document, &Document::scenarioChanged, this, &WorkloadChips::showScenario);
    connect(&document, &Document::changeRefused, this, &WorkloadChips::showScenario); // old values
    connect(&document.classLocks(), &ClassLocks::changed, this, &WorkloadChips::showClassLocks);
    showScenario();
}

void WorkloadChips::addPhase(const Parameter& parameter)
{
    m_phaseParameter = parameter;
    for (const std::string_view name : enumNames<Phase>()) {
        m_phase->choices().addAction(fromUtf8(name), this, [this, name] {
            setParameter(m_document, m_phaseParameter, std::string(name));
        });
    }
    m_phase->setToolTip(fromUtf8(parameter.text.help));
}

void WorkloadChips::addNumber(const Parameter& parameter, QWidget& bar, QHBoxLayout& line)
{
    const QString key = QString::fromStdString(parameter.key);
    auto* chip =
        new NumberChip(key, fromUtf8(parameter.text.symbol), fromUtf8(parameter.text.label), &bar);
    chip->box().setFixedWidth(boxWidth(chip->box(), parameter));
    chip->setToolTip(fromUtf8(parameter.text.help));
    explainWith(chip->box(), whatIs(parameter));
    connect(&chip->box(), &ValueBox::edited, this, [this, parameter](const FieldValue& value) {
        m_burst.touch();
        setParameter(m_document, parameter, value);
    });
    connectTyping(chip->box(), m_document, [parameter] { return parameter; });
    line.addWidget(chip);
    m_numbers.push_back({parameter, chip});
}

NumberChip* WorkloadChips::number(const QString& key)
{
    for (const Number& number : m_numbers) {
        if (number.parameter.key == key.toStdString()) {
            return number.chip;
        }
    }
    return nullptr;
}

const ClassLock* WorkloadChips::lockOf(const Parameter& parameter) const
{
    return classLockOf(m_document.classLocks().held(), parameter);
}

void WorkloadChips::showScenario()
{
    m_phase->setValue(fromUtf8(enumName(m_document.scenario().workload.phase)));
    for (const Number& number : m_numbers) {
        showNumber(number);
    }
}

void WorkloadChips::showNumber(const Number& number)
{
    const auto& [parameter, chip] = number;
    const Scenario& scenario = m_document.scenario();
    const LegalValues legal = parameter.legal(scenario);
    const QString zero = QString::fromStdString(zeroText(scenario, parameter));
    chip->box().setZeroText(zero.section(QLatin1Char(' '), 0, 0));
    chip->box().show(legal, legal.stops(), parameter.value(scenario));
    chip->box().setFixedWidth(boxWidth(chip->box(), parameter));
    chip->setVisible(!isHiddenBy(lockOf(parameter)) && parameter.applies(scenario));
}

void WorkloadChips::showClassLocks()
{
    for (const auto& [parameter, chip] : m_numbers) {
        showClassLock(*chip, lockOf(parameter), fromUtf8(parameter.text.help));
    }
    const ClassLock* lock = lockOf(m_phaseParameter);
    showClassLock(*m_phase, lock, fromUtf8(m_phaseParameter.text.help));
    m_phase->setVisible(!isHiddenBy(lock));
    showScenario();
}

} // namespace flopsmith::ui

#include "moc_workload_chips.cpp"
