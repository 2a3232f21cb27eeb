// SPDX-License-Identifier: MIT
#include "core/io/reports/training_report.h"

#include "core/base/text.h"
#include "core/io/project/version.h"
#include "core/io/reports/memory_report.h"
#include "core/model/model_cost.h"

namespace flopsmith {
namespace {

constexpr double kHoursPerDay = 24.0;

Cell figure(double value)
{
    Cell cell = Cell::number(value);
    cell.shown = siText(value);
    return cell;
}

class ReportRows
{
public:
    explicit ReportRows(Table& table)
        : m_table(table)
    {}

    void add(const char* key, const char* title, Cell value, const char* unit, std::string how)
    {
        m_table.rows.push_back({Cell{.value = std::string(key), .shown = title},
                                std::move(value),
                                Cell::text(unit),
                                Cell::text(std::move(how))});
    }

private:
    Table& m_table;
};

void addFlops(const TrainingReport& report, ReportRows& rows)
{
    const double used = report.run.flopsPerToken;
    rows.add("flops_per_token",
             "FLOPs per token",
             figure(used),
             "FLOP",
             used == report.flops.model
                 ? "matrix products of forward and backward pass, nothing computed twice"
                 : "as given");
    rows.add("counted_flops_per_token",
             "counted for this model",
             figure(report.flops.model),
             "FLOP",
             "matrix products of forward and backward pass, nothing computed twice");
    rows.add("executed_flops_per_token",
             "executed",
             figure(report.flops.hardware),
             "FLOP",
             "with what checkpointing and flash attention compute again");
    rows.add("rule_of_thumb_per_token",
             "rule of thumb",
             figure(report.flops.sixTimesParameters),
             "FLOP",
             "6 \xC3\x97 the parameters that multiply for one token");
    rows.add(
        "flops", "FLOPs", figure(report.run.flops()), "FLOP", "tokens \xC3\x97 FLOPs per token");
}

void addTime(const TrainingReport& report, ReportRows& rows)
{
    const TrainingRun& run = report.run;
    rows.add("days",
             "time",
             figure(run.seconds() / kSecondsPerDay),
             "days",
             "FLOPs \xC3\xB7 (devices \xC3\x97 peak \xC3\x97 MFU)");
    rows.add("device_hours",
             "device hours",
             figure(run.deviceHours()),
             "h",
             "devices \xC3\x97 " + numberText(kHoursPerDay) + " \xC3\x97 days");
    rows.add("tokens_per_second",
             "tokens per second",
             figure(run.tokensPerSecond()),
             "1/s",
             "all devices together");
}

void addEnergy(const TrainingReport& report, ReportRows& rows)
{
    const TrainingRun& run = report.run;
    if (const auto& watts = report.on.hardware.watts) {
        const double joules =
            joulesOfPower(watts->value, run.seconds(), run.devices, report.powerUsageEffectiveness);
        rows.add("energy_kwh",
                 "energy by power",
                 figure(joules / kJoulesPerKilowattHour),
                 "kWh",
                 numberText(watts->value) + " W \xC3\x97 device hours \xC3\x97 PUE "
                     + numberText(report.powerUsageEffectiveness) + " (" + watts->source + ")");
    }
    if (report.picojoulesPerFlop || report.picojoulesPerByte) {
        const double perFlop = report.picojoulesPerFlop.value_or(0.0);
        const double perByte = report.picojoulesPerByte.value_or(0.0);
        const double joules = joulesOfWork(run.tokens * report.flops.hardware,
                                           run.tokens * report.bytesPerToken,
                                           perFlop,
                                           perByte);
        rows.add("work_energy_kwh",
                 "energy by work",
                 figure(joules / kJoulesPerKilowattHour),
                 "kWh",
                 "executed FLOPs \xC3\x97 " + numberText(perFlop) + " pJ + moved bytes \xC3\x97 "
                     + numberText(perByte) + " pJ, " + bytesText(report.bytesPerToken)
                     + " per token, nothing fused");
    }
}

} // namespace

TrainingReport trainingReport(const Scenario& scenario, const HardwarePeak& on, PairsRule pairs)
{
    TrainingReport report{.scenario = inTraining(scenario), .on = on};
    const Workload& workload = report.scenario.workload;
    const double tokens = static_cast<double>(workload.batch) * report.scenario.queryTokens();
    const CostTree<Count> step = costTree(report.scenario, pairs);
    report.flops = trainingFlopsPerToken(scenario, pairs);
    report.bytesPerToken = toDouble(bytes(step, 0, workload.precision).total()) / tokens;
    report.run.flopsPerToken = report.flops.model;
    report.run.peakFlopsPerSecond = on.peak.flopsPerSecond;
    return report;
}

Table trainingTable(const TrainingReport& report)
{
    const TrainingRun& run = report.run;
    Table table{.caption = memoryHeadline(report.scenario) + ", on " + numberText(run.devices)
                    + " \xC3\x97 " + report.on.hardware.name + "; Flopsmith "
                    + std::string(programVersion()),
                .columns = {{"quantity", "quantity", Align::left},
                            {"value", "value"},
                            {"unit", "unit", Align::left},
                            {"how", "how", Align::left}}};
    ReportRows rows(table);
    rows.add("tokens", "tokens", figure(run.tokens), "", "");
    rows.add("devices", "devices", Cell::number(run.devices), "", report.on.hardware.name);
    rows.add("peak",
             "peak of one device",
             figure(run.peakFlopsPerSecond),
             "FLOP/s",
             "dense " + std::string(enumName(report.on.peak.format)) + ": "
                 + report.on.peak.source);
    rows.add("mfu", "MFU", Cell::share(run.utilisation), "", "share of the peak that is used");
    addFlops(report, rows);
    addTime(report, rows);
    addEnergy(report, rows);
    return table;
}

} // namespace flopsmith
