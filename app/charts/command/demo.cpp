// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_drawing.h"
#include "app/charts/command/chart_commands.h"
#include "app/charts/run_request.h"
#include "app/measuring/measuring_run.h"
#include "app/options/device_options.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/io/project/version.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <array>
#include <filesystem>

namespace flopsmith::app {
namespace {

constexpr const char* kPreset = "gpt2-half-swapped";
constexpr int kTokens = 128;
constexpr double kBudgetSeconds = 6.0;
constexpr const char* kHardware = "h100-sxm"; ///< of the roofline without measurements

struct DemoFile
{
    std::string name;
    std::string text;
};

struct Demo
{
    Scenario scenario{};
    CostReport report{};
    std::optional<MeasuringRun> run{};
    std::string whyNotMeasured{};
    std::vector<DemoFile> files{};
};

void addTable(Demo& demo, const std::string& name, const Table& table, std::string headline)
{
    Table shown = table;
    shown.caption = std::move(headline);
    demo.files.push_back({name + ".txt", plainText(shown)});
    demo.files.push_back({name + ".csv", csvText(table)});
    demo.files.push_back({name + ".md", markdownText(table)});
    demo.files.push_back({name + ".tex", latexText(table)});
}

void addCostFiles(Demo& demo)
{
    addTable(demo, "cost", costTable(demo.report), costHeadline(demo.report));
    demo.files.push_back({"cost.json", jsonText(costJson(demo.report), 2) + "\n"});
}

// Without a measuring program there are still tables and charts of computed values.
void measure(Demo& demo, const std::string& deviceName, const StoreChoice& store)
{
    const Result<Device> device = namedDevice(deviceName, store);
    if (!device) {
        demo.whyNotMeasured = device.error().message;
        return;
    }
    MeasuringRun run = measuringRun(demo.scenario,
                                    *device,
                                    measuredParts(demo.scenario),
                                    {.budgetSeconds = kBudgetSeconds},
                                    store);
    if (run.outcome.unavailable) {
        demo.whyNotMeasured = run.outcome.unavailable->message;
        return;
    }
    addTable(demo, "run-time", measuringTable(run), measuringHeadline(run));
    demo.files.push_back({"run-time.json", jsonText(measuringJson(run), 2) + "\n"});
    demo.run = std::move(run);
}

Status addCharts(Demo& demo)
{
    static constexpr std::array<std::pair<ui::ExportFormat, const char*>, 4> kFormats{
        {{ui::ExportFormat::svg, ".svg"},
         {ui::ExportFormat::pdf, ".pdf"},
         {ui::ExportFormat::png, ".png"},
         {ui::ExportFormat::csv, ".csv"}}};
    for (const ui::ChartKind& kind : ui::chartKinds()) {
        if (kind.needs.designs) {
            continue; // a demo has one model
        }
        ui::FigureRequest request{.kind = kind.id, .scenario = demo.scenario};
        if (demo.run) {
            addRun(request, *demo.run);
        }
        if (kind.needs.hardware) {
            request.hardware =
                request.machine ? hardwareOf(*request.machine) : *hardwareNamed(kHardware);
        }
        FLOPSMITH_TRY(const auto figure, ui::figureFor(request));
        for (const auto& [format, suffix] : kFormats) {
            demo.files.push_back(
                {std::string(kind.name) + suffix, ui::exported(*figure, format, {}).toStdString()});
        }
    }
    return Done{};
}

std::string htmlEscaped(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        default: escaped += c;
        }
    }
    return escaped;
}

// One page with all figures and the two tables, to be opened in a browser.
std::string pageText(const Demo& demo)
{
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>"
        + htmlEscaped(demo.scenario.model.name) + "</title>\n"
        + "<style>body{font:15px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
          "img{max-width:100%}pre{overflow-x:auto;font-size:13px;line-height:1.35}</style>\n<h1>"
        + htmlEscaped(demo.scenario.model.name) + "</h1>\n";
    page += "<p>Made by Flopsmith " + std::string(programVersion())
        + ". Every figure is here as SVG, PDF, PNG and CSV, every table as text, CSV, Markdown, "
          "LaTeX and JSON.</p>\n";
    for (const ui::ChartKind& kind : ui::chartKinds()) {
        if (kind.needs.designs) {
            continue;
        }
        const std::string name(kind.name);
        page += "<h2>" + name + "</h2>\n<img src=\"" + name + ".svg\" alt=\"" + name + "\">\n";
    }
    for (const DemoFile& file : demo.files) {
        if (file.name == "cost.txt" || file.name == "run-time.txt") {
            page += "<h2>" + file.name.substr(0, file.name.size() - 4) + "</h2>\n<pre>"
                + htmlEscaped(file.text) + "</pre>\n";
        }
    }
    if (!demo.whyNotMeasured.empty()) {
        page += "<p>Nothing was measured: " + htmlEscaped(demo.whyNotMeasured) + "</p>\n";
    }
    return page + "</html>\n";
}

Outcome written(const Demo& demo, const std::string& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        return Outcome::badInput({folder + ": cannot be made a folder: " + failed.message()});
    }
    std::string text = "wrote into " + printable(folder) + ":\n";
    for (const DemoFile& file : demo.files) {
        const std::string path = (std::filesystem::path(folder) / file.name).string();
        if (const Status status = writeFile(path, file.text); !status) {
            return Outcome::badInput(status.error());
        }
        text += "  " + file.name + "\n";
    }
    Outcome outcome = Outcome::success(text);
    if (!demo.whyNotMeasured.empty()) {
        outcome.notes.push_back("nothing was measured: " + demo.whyNotMeasured);
    }
    if (demo.run) {
        outcome.notes = demo.run->notes();
    }
    return outcome;
}

Outcome demonstrated(const std::string& folder,
                     const std::string& deviceName,
                     const StoreChoice& store)
{
    if (isStandardOutput(folder)) {
        return Outcome::badInput({folder + ": the demo writes several files; name a folder"});
    }
    Demo demo;
    demo.scenario.model = *presetNamed(kPreset);
    demo.scenario.workload.sequence = kTokens;
    demo.report = costReport(demo.scenario, LensId::exact);
    addCostFiles(demo);
    measure(demo, deviceName, store);
    const DrawingApplication application;
    if (const Status charts = addCharts(demo); !charts) {
        return Outcome::badInput(charts.error());
    }
    demo.files.push_back({"index.html", pageText(demo)});
    return written(demo, folder);
}

} // namespace

void addDemo(ArgumentParser program, Command& chosen)
{
    struct DemoOptions
    {
        std::string folder;
        std::string device;
        StoreOptions store;
    };
    auto options = std::make_shared<DemoOptions>();
    const ArgumentParser command = program.addCommand(
        "demo", "The main job without a screen: tables, figures and measured run times");
    command.addOption("-o,--output", options->folder, "Folder for the files")
        .required()
        .typeName("DIR");
    command.addOption("--device", options->device, "Where to measure; without it, this CPU")
        .typeName("NAME");
    options->store.addTo(command);
    command.callback([options, &chosen] {
        chosen = [options] {
            return demonstrated(options->folder, options->device, options->store.choice());
        };
    });
}

} // namespace flopsmith::app
