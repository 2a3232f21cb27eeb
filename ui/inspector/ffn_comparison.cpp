// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/ffn_comparison.h"

#include "core/count/lens.h"
#include "core/ffn/dense.h"
#include "core/model/operation.h"

#include <QObject>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kPlainRatio = 9.95; // larger ratios have no decimal

CostTree<Count> treeOf(const FfnSpec& ffn, const Scenario& scenario)
{
    return costTree(Operation{.what = ffn,
                              .dModel = scenario.model.dModel,
                              .batch = scenario.workload.batch,
                              .sequence = scenario.queryTokens(),
                              .context = scenario.keys()});
}

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio >= kPlainRatio ? 0 : 1);
}

} // namespace

QString ComparedWithDense::text(const QString& what) const
{
    if (own == dense) {
        return QObject::tr("as many %1").arg(what);
    }
    if (own == 0) {
        return QObject::tr("no %1").arg(what);
    }
    const double ratio = toDouble(dense) / toDouble(own);
    constexpr double kNearlyEqual = 1.05; // "1.0× fewer" is meaningless
    if (ratio < kNearlyEqual && ratio > 1.0 / kNearlyEqual) {
        const QString percent = QString::number(std::abs(100.0 - 100.0 / ratio), 'f', 2);
        return (ratio > 1.0 ? QObject::tr("%1 % fewer %2") : QObject::tr("%1 % more %2"))
            .arg(percent, what);
    }
    return ratio > 1.0 ? QObject::tr("%1× fewer %2").arg(ratioText(ratio), what)
                       : QObject::tr("%1× more %2").arg(ratioText(1.0 / ratio), what);
}

FfnSpec denseBeside(const Scenario& scenario)
{
    return DenseFfn{.dFf = 4 * scenario.model.dModel};
}

FfnComparison ffnComparison(const FfnSpec& ffn, const Scenario& scenario)
{
    const CostTree<Count> own = treeOf(ffn, scenario);
    const CostTree<Count> dense = treeOf(denseBeside(scenario), scenario);
    return {.parameters = {own.total().parameters.trainable, dense.total().parameters.trainable},
            .flops = {exactFlops(own.total().count), exactFlops(dense.total().count)}};
}

} // namespace flopsmith::ui
