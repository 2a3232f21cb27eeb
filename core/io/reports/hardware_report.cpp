// SPDX-License-Identifier: MIT
#include "core/io/reports/hardware_report.h"

#include "core/base/text.h"

#include <algorithm>

namespace flopsmith {
namespace {

// In the units in which data sheets have them: 312 (TFLOP/s), 2039 (GB/s).
Cell inUnits(double value, double unit)
{
    return Cell::number(value / unit);
}

Cell inUnits(const std::optional<SourcedFigure>& figure, double unit)
{
    return figure ? inUnits(figure->value, unit) : Cell{};
}

std::vector<NumberFormat> formatsOf(std::span<const Hardware> devices)
{
    std::vector<NumberFormat> formats;
    for (std::size_t i = 0; i < enumNames<NumberFormat>().size(); ++i) {
        const auto format = static_cast<NumberFormat>(i);
        if (std::any_of(devices.begin(), devices.end(), [format](const Hardware& hardware) {
                return hardware.peak(format) != nullptr;
            })) {
            formats.push_back(format);
        }
    }
    return formats;
}

void addFigure(Table& table,
               const Hardware& hardware,
               std::string figure,
               const Cell& value,
               const char* unit,
               const std::string& source)
{
    table.rows.push_back({Cell::text(hardware.id),
                          Cell::text(std::move(figure)),
                          value,
                          Cell::text(unit),
                          Cell::text(source)});
}

constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;

} // namespace

Table hardwareList(std::span<const Hardware> devices)
{
    Table table{.caption =
                    "Dense peaks in TFLOP/s (TOPS for whole numbers), never those for sparse "
                    "matrices",
                .columns = {{"id", "hardware", Align::left},
                            {"name", "name", Align::left},
                            {"memory_gb", "GB"},
                            {"bandwidth_gb_per_s", "GB/s"},
                            {"watts", "W"}}};
    const std::vector<NumberFormat> formats = formatsOf(devices);
    for (const NumberFormat format : formats) {
        const std::string name(enumName(format));
        table.columns.push_back({name + "_tflops", name});
    }
    for (const Hardware& hardware : devices) {
        std::vector<Cell> row{Cell::text(hardware.id),
                              Cell::text(hardware.name),
                              inUnits(hardware.memoryBytes, kGiga),
                              inUnits(hardware.bytesPerSecond.value, kGiga),
                              inUnits(hardware.watts, 1.0)};
        for (const NumberFormat format : formats) {
            const ComputePeak* peak = hardware.peak(format);
            row.push_back(peak != nullptr ? inUnits(peak->flopsPerSecond, kTera) : Cell{});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table hardwareFigures(std::span<const Hardware> devices)
{
    Table table{.columns = {{"id", "hardware", Align::left},
                            {"figure", "figure", Align::left},
                            {"value", "value"},
                            {"unit", "unit", Align::left},
                            {"source", "source", Align::left}}};
    for (const Hardware& hardware : devices) {
        if (const auto& memory = hardware.memoryBytes) {
            addFigure(table, hardware, "memory", inUnits(memory, kGiga), "GB", memory->source);
        }
        addFigure(table,
                  hardware,
                  "bandwidth",
                  inUnits(hardware.bytesPerSecond.value, kGiga),
                  "GB/s",
                  hardware.bytesPerSecond.source);
        if (const auto& watts = hardware.watts) {
            addFigure(table, hardware, "power", inUnits(watts, 1.0), "W", watts->source);
        }
        for (const ComputePeak& peak : hardware.peaks) {
            addFigure(table,
                      hardware,
                      "dense " + std::string(enumName(peak.format)),
                      inUnits(peak.flopsPerSecond, kTera),
                      "TFLOP/s",
                      peak.source);
        }
    }
    return table;
}

} // namespace flopsmith
