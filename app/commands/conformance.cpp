// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/io/reports/lens_tables.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

// CSV holds the models by lenses alone: a file has one header.
Outcome conformance(const OutputOptions& output)
{
    const std::vector<ConformanceEntry> entries = flopsmith::conformance();
    const Table published = publishedTable(publishedFigures());
    if (output.isJson()) {
        Json json;
        json["models"] = tableJson(conformanceTable(entries));
        json["published"] = tableJson(published);
        return output.of(jsonText(json, 2) + "\n");
    }
    if (output.isExact()) {
        return output.of(conformanceTable(entries));
    }
    return output.of(output.of(conformanceSheet(entries)).text + "\n" + output.of(published).text);
}

} // namespace

void addConformance(ArgumentParser program, Command& chosen)
{
    auto output = std::make_shared<OutputOptions>();
    const ArgumentParser command = program.addCommand(
        "conformance", "Fixed models under every lens, beside printed figures: a sheet to cite");
    output->addTo(command);
    command.callback([output, &chosen] { chosen = [output] { return conformance(*output); }; });
    command.footer("Example: flopsmith conformance --format markdown -o conformance.md");
}

} // namespace flopsmith::app
