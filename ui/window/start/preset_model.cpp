// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start/preset_model.h"

#include "core/base/text.h"
#include "core/lens/cost_summary.h"
#include "core/present/stack/stack.h"
#include "ui/theme/utf8.h"

#include <QStringList>

namespace flopsmith::ui {

PresetFacts presetFacts(const Model& model, LensId lens)
{
    const Scenario scenario{.model = model};
    const CostTree<Count> tree = costTree(scenario, flopsmith::lens(lens).pairs);
    const CostSummary cost = summary(tree, scenario, lens);
    PresetFacts facts{.parameters = cost.parameters,
                      .flops = cost.flops.value()}; // every lens defines a forward pass
    for (const StackRow& row : stackPicture(scenario, tree, lens).rows) {
        for (const StackPart& part : row.parts) {
            facts.bars.push_back({part.component, part.bar.share});
        }
    }
    return facts;
}

PresetModel::PresetModel(LensId lens, QObject* parent)
    : QAbstractListModel(parent)
    , m_lens(lens)
{}

bool PresetModel::countNext()
{
    const std::size_t row = m_facts.size();
    if (row >= presets().size()) {
        return false;
    }
    m_facts.push_back(presetFacts(presets()[row].make(), m_lens));
    const QModelIndex counted = index(static_cast<int>(row));
    Q_EMIT dataChanged(counted, counted);
    return true;
}

int PresetModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(presets().size());
}

QVariant PresetModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const Preset& preset = presets().at(row);
    switch (role) {
    case Qt::DisplayRole: return fromUtf8(preset.title);
    case Qt::ToolTipRole:
    case noteRole: return fromUtf8(preset.note);
    case Qt::AccessibleTextRole: return accessibleTextOf(row);
    case figuresRole: return figuresOf(row);
    case factsRole: return row < m_facts.size() ? QVariant::fromValue(m_facts[row]) : QVariant();
    case searchRole:
        return QStringList{fromUtf8(preset.title),
                           fromUtf8(preset.id),
                           fromUtf8(preset.note),
                           fromUtf8(title(preset.kind))}
            .join(QLatin1Char('\n'));
    case presetRole: return index.row();
    default: return {};
    }
}

QString PresetModel::figuresOf(std::size_t row) const
{
    if (row >= m_facts.size()) {
        return {};
    }
    const PresetFacts& facts = m_facts[row];
    return tr("%1 parameters \u00B7 %2")
        .arg(fromUtf8(parametersText(toDouble(facts.parameters))),
             fromUtf8(rateText(toDouble(facts.flops), lens(m_lens).unit)));
}

QString PresetModel::accessibleTextOf(std::size_t row) const
{
    QStringList said{fromUtf8(presets()[row].title), figuresOf(row), fromUtf8(presets()[row].note)};
    said.removeAll(QString());
    return said.join(QStringLiteral(", "));
}

} // namespace flopsmith::ui

#include "moc_preset_model.cpp"
