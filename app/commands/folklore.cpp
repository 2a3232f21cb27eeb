// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/folklore.h"

#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/base/text.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

Table folkloreTable(const std::vector<Folklore>& all)
{
    Table table{.caption = "Figures of design notes that are wrong, and the true ones",
                .columns = {{"id", "id", Align::left},
                            {"note", "note", Align::left},
                            {"printed", "printed", Align::left},
                            {"factor", "off by"},
                            {"truth", "true", Align::left}}};
    for (const Folklore& each : all) {
        Cell factor = Cell::number(each.factor());
        factor.shown = factorText(each.factor());
        table.rows.push_back({Cell::text(each.id),
                              Cell::text(each.note),
                              Cell::text(each.printed),
                              factor,
                              Cell::text(each.truth)});
    }
    return table;
}

Json json(const Formula& formula)
{
    return {{"path", formula.path},
            {"text", formula.text},
            {"latex", formula.latex},
            {"numbers", formula.numbers},
            {"value", exactNumber(formula.value)}};
}

Json json(const Folklore& folklore)
{
    Json steps = Json::array();
    for (const FolkloreStep& step : folklore.derivation) {
        Json line{{"sentence", step.sentence}};
        if (step.formula) {
            line["formula"] = json(*step.formula);
            line["unit"] = step.unit;
        }
        steps.push_back(std::move(line));
    }
    return {{"id", folklore.id},
            {"title", folklore.title},
            {"note", folklore.note},
            {"printed", folklore.printed},
            {"true", folklore.truth},
            {"unit", folklore.unit},
            {"printed_value", folklore.printedValue},
            {"true_value", folklore.trueValue},
            {"factor", folklore.factor()},
            {"derivation", std::move(steps)}};
}

// Each slip with its derivation, for reading.
std::string prose(const std::vector<Folklore>& all)
{
    std::string text =
        "Figures that design notes print wrong. Every true figure and formula is computed now.\n";
    for (const Folklore& each : all) {
        text += "\n" + each.title + " (in \"" + each.note + "\")\n";
        text += "  printed  " + each.printed + "  \xE2\x80\x94 " + factorText(each.factor()) + "\n";
        text += "  true     " + each.truth + "\n";
        for (const FolkloreStep& step : each.derivation) {
            text += "    \xC2\xB7 " + step.sentence + "\n";
            if (step.formula) {
                text += "        " + step.formula->text + "\n        = " + step.formula->numbers
                    + "\n        = " + groupedDigits(step.formula->value) + " " + step.unit + "\n";
            }
        }
    }
    return text;
}

Outcome run(const OutputOptions& output)
{
    const std::vector<Folklore> all = folklore();
    if (output.isForPeople()) {
        return output.of(prose(all));
    }
    if (output.isJson()) {
        Json list = Json::array();
        for (const Folklore& each : all) {
            list.push_back(json(each));
        }
        return output.of(jsonText(list, 2) + "\n");
    }
    return output.of(folkloreTable(all));
}

} // namespace

void addFolklore(ArgumentParser program, Command& chosen)
{
    auto output = std::make_shared<OutputOptions>();
    const ArgumentParser command = program.addCommand(
        "folklore", "Figures that are often printed wrong, with derivations of the true ones");
    output->addTo(command);
    command.callback([output, &chosen] { chosen = [output] { return run(*output); }; });
}

} // namespace flopsmith::app
