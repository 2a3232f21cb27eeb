// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith::bench {

/// How a number of a table is written for a reader; the file has it as it is.
enum class Figure { text, whole, seconds, perSecond, ratio, percent, bytes };

struct Column
{
    std::string key; ///< in the file
    std::string heading;
    Figure figure = Figure::text;
};

/// Nothing where a figure could not be had.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

std::string cellText(const Cell& cell, Figure figure);

/// What a program of tests/bench found: tables that are printed line by line as they are measured
/// and kept for a file that scripts read.
class Report
{
public:
    /// `program` names this program's part of the file.
    explicit Report(std::string program);

    /// Begins a table: its title and headings are printed.
    void table(const std::string& key, const std::string& title, std::vector<Column> columns);

    /// Prints and keeps a row of the last table: as many cells as columns.
    void row(const std::vector<Cell>& cells);

    /// A line that only a reader sees.
    void note(std::string_view text) const;

    /// Something about the machine or the run that the file keeps beside the environment.
    void fact(const std::string& key, Json value);

    /// {"environment": …, "programs": {NAME: {"facts": …, "tables": {KEY: {"title", "rows"}}}}}.
    /// The parts of other programs that the file holds already stay.
    Status writeTo(const std::string& path) const;

private:
    std::string m_program;
    std::string m_table;
    std::vector<Column> m_columns;
    Json m_part;
};

/// The options that every program of tests/bench takes: --json FILE, --quick, --python PATH,
/// --seconds S, --only NAME, --threads N, --width D, --tokens T.
struct Options
{
    std::string json; ///< where to write; empty: nowhere
    std::string python; ///< with torch; empty: python3, if that has it
    bool quick = false; ///< fewer sizes and samples
    double seconds = 0.12; ///< for each figure and side
    std::string only; ///< operations whose name contains this
    int threads = 0; ///< with this number alone; 0: with one and with all
    int width = 0; ///< this d alone; 0: all
    int tokens = 0; ///< this T alone; 0: all

    /// One, and as many as the machine has cores; or the number that was asked for.
    std::vector<int> threadCounts() const;

    /// Whether a point of this width and so many tokens was asked for.
    bool includes(int dModel, int count) const
    {
        return (width == 0 || width == dModel) && (tokens == 0 || tokens == count);
    }
};

/// An Error names the argument that is none of these.
Result<Options> readOptions(int count, char** arguments);

/// Reads the options, runs, writes the file; the exit status.
int benchMain(int count,
              char** arguments,
              const std::string& program,
              void (*run)(const Options& options, Report& report));

} // namespace flopsmith::bench
