// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/precision_choice.h"

#include "core/parameter/validation.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include <array>

namespace flopsmith::ui {
namespace {

struct UsualPrecision
{
    const char* name; ///< in the menu
    Precision precision;
};

// Weights of few bits come in groups with a scale of their own; 128 is what is usual.
Precision quantized(int weightBits, int group)
{
    Precision precision = Precision::of(16);
    precision.weightBits = weightBits;
    precision.weightGroup = group;
    return precision;
}

const std::array<UsualPrecision, 5>& usualPrecisions()
{
    static const std::array<UsualPrecision, 5> kUsual{{
        {QT_TRANSLATE_NOOP("TopBar", "32 bit (fp32)"), Precision::of(32)},
        {QT_TRANSLATE_NOOP("TopBar", "16 bit (bf16, fp16)"), Precision::of(16)},
        {QT_TRANSLATE_NOOP("TopBar", "8 bit (fp8, int8)"), Precision::of(8)},
        {QT_TRANSLATE_NOOP("TopBar", "W8A16: weights 8 bit, all else 16 bit"), quantized(8, 0)},
        {QT_TRANSLATE_NOOP("TopBar", "W4A16: weights 4 bit in groups, all else 16 bit"),
         quantized(4, 128)},
    }};
    return kUsual;
}

QString barText(const char* text)
{
    return QCoreApplication::translate("TopBar", text);
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
    for (const UsualPrecision& usual : usualPrecisions()) {
        QAction* action = menu.addAction(barText(usual.name), &document, [&document, &usual] {
            document.apply(barText("Precision: %1").arg(shortPrecision(usual.precision)),
                           [&usual](DocumentState& state) {
                               state.scenario.workload.precision = usual.precision;
                           });
        });
        QObject::connect(&menu, &QMenu::aboutToShow, action, [action, &document, &usual] {
            Scenario changed = document.scenario();
            changed.workload.precision = usual.precision;
            const Status legal = validated(changed);
            action->setEnabled(legal.ok());
            action->setProperty("disabledReason",
                                legal ? QString() : fromUtf8(legal.error().message));
        });
    }
    menu.addSeparator();
    menu.addAction(barText(QT_TRANSLATE_NOOP("TopBar", "weights, activations and cache apart")),
                   &document,
                   [&document] { document.select(Selection::of(Selection::Part::embedding)); });
}

} // namespace flopsmith::ui
