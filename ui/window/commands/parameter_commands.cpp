// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/base/word_match.h"
#include "ui/canvas/entries/palette_entry.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/explain/explanation_text.h"
#include "ui/widgets/values/value_text.h"
#include "ui/window/commands/command_sources.h"

#include <QCoreApplication>
#include <QWidget>

#include <iterator>
#include <optional>

// Parameters as commands.

namespace flopsmith::ui {
namespace {

QString commandText(const char* source)
{
    return QCoreApplication::translate("CommandPalette", source);
}

// Of the model, the workload and the selected run, as far as they apply now.
std::vector<Parameter> commandParameters(const Document& document)
{
    const Scenario& scenario = document.scenario();
    std::vector<Parameter> all = *modelParameterList();
    const auto append = [&all](const std::vector<Parameter>& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    append(workloadParameters());
    if (document.selection().isRun()) {
        append(*blockParameterList(scenario, document.selection().run));
    }
    std::erase_if(all, [&scenario](const Parameter& each) { return !each.applies(scenario); });
    return all;
}

// By which a parameter is found besides its label. A value behind them is not one of it alone:
// "precision 16" is meant for all weights and activations.
QString searchWords(const Parameter& parameter)
{
    const QString key = fromUtf8(parameter.text.key);
    return key.endsWith(QLatin1String("_bits"))
        ? key + QStringLiteral(" precision quantization fp32 bf16 fp16 fp8 int8 int4")
        : key;
}

std::vector<SearchedTitle> searchedNames(const std::vector<Parameter>& parameters)
{
    std::vector<SearchedTitle> names;
    for (const Parameter& parameter : parameters) {
        names.push_back({std::string(parameter.text.label),
                         std::string(parameter.text.key) + ' ' + parameter.group});
    }
    return names;
}

std::optional<FieldValue> typedFlag(const QString& text)
{
    const QString small = text.toLower();
    if (QStringList{QStringLiteral("on"), QStringLiteral("yes"), QStringLiteral("true")}.contains(
            small)) {
        return FieldValue(true);
    }
    if (QStringList{QStringLiteral("off"), QStringLiteral("no"), QStringLiteral("false")}.contains(
            small)) {
        return FieldValue(false);
    }
    return std::nullopt;
}

// The text as a value of the parameter, legal or not.
std::optional<FieldValue> typedFor(const Parameter& parameter,
                                   const Scenario& scenario,
                                   const QString& text)
{
    const FieldValue now = parameter.value(scenario);
    if (std::holds_alternative<bool>(now)) {
        return typedFlag(text);
    }
    if (!std::holds_alternative<std::string>(now)) {
        return typedValue(text, now);
    }
    const LegalValues legal = parameter.legal(scenario);
    for (const std::string_view name : legal.names()) {
        if (fromUtf8(name).compare(text, Qt::CaseInsensitive) == 0) {
            return FieldValue(std::string(name));
        }
    }
    return std::nullopt;
}

TypedEntry settingEntry(Document& document, const Parameter& parameter, const FieldValue& value)
{
    TypedEntry entry;
    entry.title =
        commandText("Set %1 to %2")
            .arg(fromUtf8(parameter.text.label), QString::fromStdString(valueText(value)));
    entry.detail = QString::fromStdString(parameter.group);
    const auto corrected = correction(document.scenario(), parameter, value);
    entry.help =
        corrected ? QString::fromStdString(corrected->sentence) : fromUtf8(parameter.text.help);
    entry.run = [&document, parameter, value] { enterParameter(document, parameter, value); };
    return entry;
}

// The parameters that the words name, with the text as their value.
void appendSettings(Document& document,
                    const std::vector<Parameter>& parameters,
                    const QString& name,
                    const QString& text,
                    std::vector<TypedEntry>& entries)
{
    for (const RankedTitle& found : rankedTitles(name.toStdString(), searchedNames(parameters))) {
        const Parameter& parameter = parameters[found.index];
        const auto value = typedFor(parameter, document.scenario(), text);
        if (value && !found.match.hasGaps) {
            entries.push_back(settingEntry(document, parameter, *value));
        }
    }
}

// The text is what the explanation opens with.
TypedEntry questionEntry(QWidget& window, const QString& name, const QString& id, QString text)
{
    TypedEntry entry;
    entry.id = QStringLiteral("whatIs/") + id;
    entry.title = commandText("What is %1?").arg(name);
    entry.run = [&window, text = std::move(text)] {
        Explainer::of(window).open(text, QRect(window.rect().center(), QSize(0, 0)));
    };
    return entry;
}

} // namespace

std::vector<TypedEntry> parameterCommands(Document& document, const QString& query)
{
    const QStringList words = query.simplified().split(QLatin1Char(' '));
    std::vector<TypedEntry> entries;
    if (words.size() < 2) {
        return entries;
    }
    const std::vector<Parameter> parameters = commandParameters(document);
    const auto joined = [&words](qsizetype from) {
        return words.mid(from, words.size() - 1).join(QLatin1Char(' '));
    };
    appendSettings(document, parameters, joined(0), words.back(), entries);
    if (entries.empty()) {
        appendSettings(document, parameters, joined(1), words.front(), entries);
    }
    return entries;
}

std::vector<TypedEntry> parameterHints(const Document& document)
{
    std::vector<TypedEntry> hints;
    for (const Parameter& parameter : commandParameters(document)) {
        const Scenario& scenario = document.scenario();
        TypedEntry hint;
        hint.title = commandText("Set %1").arg(fromUtf8(parameter.text.label));
        hint.detail = QString::fromStdString(parameter.group);
        hint.words = searchWords(parameter);
        hint.refusal = commandText("Now %1. Type the new value behind the name: %2.")
                           .arg(QString::fromStdString(valueText(parameter.value(scenario))),
                                QString::fromStdString(parameter.legal(scenario).text()));
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<TypedEntry> explanationCommands(const Document& document, QWidget& window)
{
    std::vector<TypedEntry> questions;
    for (const Parameter& parameter : commandParameters(document)) {
        TypedEntry entry = questionEntry(window,
                                         fromUtf8(parameter.text.label),
                                         QString::fromStdString(parameter.key),
                                         whatIs(parameter));
        entry.detail = QString::fromStdString(parameter.group);
        entry.words = searchWords(parameter);
        questions.push_back(std::move(entry));
    }
    for (const PaletteEntry& variant : paletteEntries()) {
        if (variant.kind != PaletteKind::stage) { // which are FFNs, too
            TypedEntry entry = questionEntry(window, variant.title, variant.key, whatIs(variant));
            entry.detail = paletteHeading(variant.kind);
            questions.push_back(std::move(entry));
        }
    }
    return questions;
}

} // namespace flopsmith::ui
