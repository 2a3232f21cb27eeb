// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/ffn_foot.h"

#include "core/base/text.h"
#include "ui/document/document.h"
#include "ui/inspector/ffn_comparison.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/utf8.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

// Whether there is one FFN to compare.
bool haveEqualFfns(const Model& model, const std::vector<int>& runs)
{
    const auto ffnOf = [&model](int run) -> const FfnSpec& {
        return model.runs.at(static_cast<std::size_t>(run)).block.ffn;
    };
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), [&](int run) {
        return ffnOf(run) == ffnOf(runs.front());
    });
}

// Only savings are highlighted.
void showCompared(QLabel& label, const ComparedWithDense& compared, const QString& what)
{
    label.setText(compared.text(what));
    label.setToolTip(
        FfnFoot::tr("%1 of this FFN, %2 of a dense one with d_ff = 4 d_model and biases")
            .arg(fromUtf8(groupedDigits(compared.own)), fromUtf8(groupedDigits(compared.dense))));
    const auto role = compared.isLess() ? QStringLiteral("positive") : QStringLiteral("figure");
    if (label.property("role").toString() != role) {
        label.setProperty("role", role);
        label.style()->unpolish(&label);
        label.style()->polish(&label);
    }
}

} // namespace

FfnFoot::FfnFoot(QWidget* parent)
    : QWidget(parent)
    , m_caption(new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this))
    , m_parameters(new QLabel(this))
    , m_separator(new QLabel(QStringLiteral("\u00B7"), this))
    , m_flops(new QLabel(this))
    , m_facts(new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this))
{
    setObjectName(QStringLiteral("inspector.footer"));
    setAccessibleName(tr("This FFN beside a dense one"));
    m_caption->setObjectName(QStringLiteral("inspector.footer.caption"));
    m_caption->setText(tr("this FFN against dense, 4d"));
    m_parameters->setObjectName(QStringLiteral("inspector.footer.parameters"));
    m_parameters->setAccessibleName(tr("Parameters beside a dense FFN"));
    m_separator->setObjectName(QStringLiteral("inspector.footer.separator"));
    m_separator->setAccessibleName(QStringLiteral("\u00B7"));
    m_flops->setObjectName(QStringLiteral("inspector.footer.flops"));
    m_flops->setAccessibleName(tr("FLOPs beside a dense FFN"));
    m_facts->setObjectName(QStringLiteral("inspector.footer.facts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_caption);
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(m_parameters);
    line->addWidget(m_separator);
    line->addWidget(m_flops);
    line->addStretch(1);
    column->addLayout(line);
    column->addWidget(m_facts);
    m_facts->hide();
}

void FfnFoot::show(const Document& document)
{
    const Selection& selection = document.selection();
    const Model& model = document.model();
    setVisible(haveEqualFfns(model, selection.runs()));
    if (isHidden()) {
        return;
    }
    const FfnSpec& ffn = model.runs.at(static_cast<std::size_t>(selection.run)).block.ffn;
    const FfnComparison comparison = ffnComparison(ffn, document.scenario());
    showCompared(*m_parameters, comparison.parameters, tr("parameters"));
    showCompared(*m_flops, comparison.flops, tr("FLOPs"));
    showFacts(m_factsOf ? m_factsOf(ffn, denseBeside(document.scenario())) : FfnFacts());
}

void FfnFoot::showFacts(const FfnFacts& facts)
{
    QStringList known{facts.time, facts.learning};
    known.removeAll(QString());
    m_facts->setVisible(!known.isEmpty());
    m_facts->setText(known.join(QStringLiteral(" \u00B7 ")));
    m_facts->setAccessibleName(m_facts->text());
    m_facts->setDetail(facts.source);
}

} // namespace flopsmith::ui

#include "moc_ffn_foot.cpp"
