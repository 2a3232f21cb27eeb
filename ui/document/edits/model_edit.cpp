// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/model_edit.h"

#include "core/model/presets.h"
#include "ui/document/document.h"

namespace flopsmith::ui {
namespace {

// Escapes a name for the text of a step: in menus an & would underline the next letter.
QString nameInStep(const QString& name)
{
    constexpr qsizetype kLongest = 40;
    QString shown = name.size() > kLongest ? name.left(kLongest) + QStringLiteral("…") : name;
    return shown.replace(QLatin1Char('&'), QLatin1String("&&"));
}

void load(Document& document, const Model& model, const Precision& precision)
{
    document.apply(Document::tr("Load %1").arg(nameInStep(QString::fromStdString(model.name))),
                   [&](DocumentState& state) {
                       state.scenario.model = model;
                       state.scenario.workload.precision = precision;
                       state.wishes = {};
                       state.rules = {};
                       state.notes = {};
                       std::erase_if(state.kept, [](const KeptKey& key) { return isInModel(key); });
                       state.selection = Selection::ofRun(static_cast<int>(model.runs.size()) - 1);
                   });
}

} // namespace

void replaceModel(Document& document, const Model& model)
{
    load(document, model, document.scenario().workload.precision);
}

void replaceModel(Document& document, const Preset& preset)
{
    load(document, preset.make(), preset.precision());
}

void renameModel(Document& document, const QString& name)
{
    document.apply(Document::tr("Rename to %1").arg(nameInStep(name)),
                   [&name](DocumentState& state) {
                       state.scenario.model.name = fittingModelName(name.toStdString());
                   });
}

} // namespace flopsmith::ui
