// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/ffn_comparison.h"

#include "core/ffn/dense.h"
#include "core/model/operation.h"

#include <QObject>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kPlainRatio = 9.95; // larger ratios have no decimal

Count parametersOf(const FfnSpec& ffn, int dModel)
{
    const Operation once{.what = ffn, .dModel = dModel};
    return costTree(once).total().parameters.trainable;
}

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio >= kPlainRatio ? 0 : 1);
}

QString verdictOf(Count parameters, Count dense)
{
    if (parameters == dense) {
        return QObject::tr("as dense");
    }
    if (parameters == 0) {
        return QObject::tr("none");
    }
    const double ratio = toDouble(dense) / toDouble(parameters);
    constexpr double kNearlyEqual = 1.05; // "1.0× fewer" is meaningless
    if (ratio < kNearlyEqual && ratio > 1.0 / kNearlyEqual) {
        const QString percent = QString::number(std::abs(100.0 - 100.0 / ratio), 'f', 2);
        return ratio > 1.0 ? QObject::tr("%1 % fewer than dense").arg(percent)
                           : QObject::tr("%1 % more than dense").arg(percent);
    }
    return ratio > 1.0 ? QObject::tr("%1× fewer than dense").arg(ratioText(ratio))
                       : QObject::tr("%1× more than dense").arg(ratioText(1.0 / ratio));
}

} // namespace

FfnComparison ffnComparison(const FfnSpec& ffn, int dModel)
{
    const Count own = parametersOf(ffn, dModel);
    const Count dense = parametersOf(DenseFfn{.dFf = 4 * dModel}, dModel);
    return {own, dense, verdictOf(own, dense)};
}

} // namespace flopsmith::ui
