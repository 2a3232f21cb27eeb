// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/precision_choice.h"

#include "core/parameter/validation.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include <functional>
#include <vector>

namespace flopsmith::ui {
namespace {

/// A choice of the menu: it changes some bits and keeps the others.
struct PrecisionChoice
{
    QString text;
    std::function<Precision(Precision)> changed;
};

/// A kind of numbers with bits of its own.
struct PrecisionKind
{
    const char* name; ///< "Weights"
    int Precision::*bits;
    std::vector<int> widths; ///< 0: like the other weights
    int Precision::*group = nullptr; ///< weights that share a scale
};

QString barText(const char* text)
{
    return QCoreApplication::translate("TopBar", text);
}

QString formatsOf(int bits)
{
    switch (bits) {
    case 32: return QStringLiteral(" (fp32)");
    case 16: return QStringLiteral(" (bf16, fp16)");
    case 8: return QStringLiteral(" (fp8, int8)");
    case 4: return QStringLiteral(" (fp4, int4)");
    default: return {};
    }
}

const std::vector<PrecisionKind>& precisionKinds()
{
    static const std::vector<PrecisionKind> kKinds{
        {QT_TRANSLATE_NOOP("TopBar", "Weights"),
         &Precision::weightBits,
         {32, 16, 8, 4},
         &Precision::weightGroup},
        {QT_TRANSLATE_NOOP("TopBar", "Activations"), &Precision::activationBits, {32, 16, 8}},
        {QT_TRANSLATE_NOOP("TopBar", "Cache"), &Precision::kvBits, {32, 16, 8, 4}},
        {QT_TRANSLATE_NOOP("TopBar", "Experts"),
         &Precision::expertBits,
         {0, 16, 8, 4},
         &Precision::expertGroup},
        {QT_TRANSLATE_NOOP("TopBar", "Embedding"), &Precision::embeddingBits, {0, 32, 16, 8}},
        {QT_TRANSLATE_NOOP("TopBar", "Head"), &Precision::headBits, {0, 32, 16, 8}},
        {QT_TRANSLATE_NOOP("TopBar", "Norms and biases"), &Precision::vectorBits, {0, 32, 16}},
    };
    return kKinds;
}

// Weights of few bits come in groups with a scale of their own; these sizes are usual.
std::vector<PrecisionChoice> choicesOf(const PrecisionKind& kind)
{
    std::vector<PrecisionChoice> choices;
    const QString name = barText(kind.name);
    for (const int bits : kind.widths) {
        const bool hasGroups = kind.group != nullptr && bits > 0 && bits <= 8;
        for (const int group : hasGroups ? std::vector{0, 32, 64, 128} : std::vector{0}) {
            QString text = bits == 0
                ? barText(QT_TRANSLATE_NOOP("TopBar", "%1 like the weights")).arg(name)
                : barText(QT_TRANSLATE_NOOP("TopBar", "%1 %2 bit%3"))
                      .arg(name)
                      .arg(bits)
                      .arg(formatsOf(bits));
            if (group > 0) {
                text += barText(QT_TRANSLATE_NOOP("TopBar", ", groups of %1")).arg(group);
            }
            choices.push_back({text, [&kind, bits, group](Precision precision) {
                                   precision.*kind.bits = bits;
                                   if (kind.group != nullptr) {
                                       precision.*kind.group = group;
                                   }
                                   return precision;
                               }});
        }
    }
    return choices;
}

std::vector<PrecisionChoice> choicesOfAll()
{
    std::vector<PrecisionChoice> choices;
    for (const int bits : {32, 16, 8}) {
        choices.push_back(
            {barText(QT_TRANSLATE_NOOP("TopBar", "All %1 bit%2")).arg(bits).arg(formatsOf(bits)),
             [bits](const Precision&) { return Precision::of(bits); }});
    }
    choices.push_back(
        {barText(QT_TRANSLATE_NOOP("TopBar", "Weights 4 bit in groups, all else 16 bit (W4A16)")),
         [](const Precision&) {
             Precision precision = Precision::of(16);
             precision.weightBits = 4;
             precision.weightGroup = 128;
             return precision;
         }});
    return choices;
}

void addChoices(QMenu& menu, Document& document, const std::vector<PrecisionChoice>& choices)
{
    for (const PrecisionChoice& choice : choices) {
        QAction* action = menu.addAction(choice.text, &document, [&document, choice] {
            const Precision changed = choice.changed(document.scenario().workload.precision);
            document.apply(
                barText("Precision: %1").arg(shortPrecision(changed)),
                [&changed](DocumentState& state) { state.scenario.workload.precision = changed; });
        });
        action->setCheckable(true);
        QObject::connect(&menu, &QMenu::aboutToShow, action, [action, &document, choice] {
            Scenario changed = document.scenario();
            const Precision before = changed.workload.precision;
            changed.workload.precision = choice.changed(before);
            const Status legal = validated(changed);
            action->setChecked(changed.workload.precision == before);
            action->setEnabled(legal.ok());
            action->setProperty("disabledReason",
                                legal ? QString() : fromUtf8(legal.error().message));
        });
    }
}

} // namespace

QString shortPrecision(const Precision& precision)
{
    const bool alike = precision == Precision::of(precision.weightBits);
    if (alike) {
        return fromUtf8(precisionText(precision));
    }
    const QString text =
        QStringLiteral("W%1A%2").arg(precision.weightBits).arg(precision.activationBits);
    return precision.kvBits == precision.activationBits
        ? text
        : text + QStringLiteral("KV%1").arg(precision.kvBits);
}

void fillPrecisionMenu(QMenu& menu, Document& document)
{
    addChoices(menu, document, choicesOfAll());
    menu.addSeparator();
    for (const PrecisionKind& kind : precisionKinds()) {
        QMenu* below = menu.addMenu(barText(kind.name));
        below->setObjectName(menu.objectName() + QLatin1Char('.') + QLatin1String(kind.name));
        below->setAccessibleName(barText(kind.name));
        addChoices(*below, document, choicesOf(kind));
    }
    menu.addSeparator();
    menu.addAction(barText(QT_TRANSLATE_NOOP("TopBar", "All bits as parameters")),
                   &document,
                   [&document] { document.select(Selection::of(Selection::Part::embedding)); });
}

} // namespace flopsmith::ui
