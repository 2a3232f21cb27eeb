// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/cost_figures.h"

#include "core/base/text.h"
#include "ui/theme/utf8.h"
#include "ui/window/bars/status_line.h"

namespace flopsmith::ui {

CostFigures::CostFigures(const Document& document, StatusLine& status, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_status(status)
    , m_update([this] { show(); })
{
    connect(&document, &Document::scenarioChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::lensChanged, this, [this] { m_update.request(); });
}

void CostFigures::show()
{
    const CostSummary cost = m_document.costSummary();
    const Lens& lens = flopsmith::lens(m_document.lens());
    m_status.setParameters(
        tr("%1 parameters").arg(QString::fromStdString(parametersText(toDouble(cost.parameters)))),
        QString::fromStdString(groupedDigits(cost.parameters)));
    if (cost.flops) {
        m_status.setCost(tr("%1%2, %3")
                             .arg(QString::fromStdString(siText(toDouble(*cost.flops))),
                                  fromUtf8(lens.unit),
                                  fromUtf8(lens.title)),
                         QString::fromStdString(groupedDigits(*cost.flops)));
    } else {
        m_status.setCost(tr("no training step by %1").arg(fromUtf8(lens.title)),
                         tr("This lens defines no training step; choose another one."));
    }
    Q_EMIT shown();
}

} // namespace flopsmith::ui

#include "moc_cost_figures.cpp"
