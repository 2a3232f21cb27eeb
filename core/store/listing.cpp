// SPDX-License-Identifier: MIT
#include "core/store/measurement_store.h"
#include "core/store/rows.h"
#include "core/store/signature.h"

#include <algorithm>
#include <cctype>
#include <map>

// Operations on many results: list, import, forget.
namespace flopsmith {
namespace {

std::string lowered(std::string text)
{
    for (char& c : text) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

bool fits(const StoredMachine& machine, const ResultSelection& selection)
{
    const bool wantedAge = selection.age == ResultSelection::Age::any
        || machine.outdated == (selection.age == ResultSelection::Age::outdated);
    std::string names = machine.described.device + "\n" + machine.origin;
    if (machine.isImported()) {
        names += "\n" + rows::importedName(machine, rows::WithDevice::no) + "\n"
            + rows::importedName(machine, rows::WithDevice::yes);
    }
    return wantedAge && lowered(names).find(lowered(selection.device)) != std::string::npos;
}

} // namespace

Result<std::vector<StoredMachine>> MeasurementStore::selected(const ResultSelection& selection)
{
    Result<std::vector<StoredMachine>> all = machines();
    if (all) {
        std::erase_if(*all,
                      [&](const StoredMachine& machine) { return !fits(machine, selection); });
    }
    return all;
}

Result<MachineResults> MeasurementStore::resultsOf(const StoredMachine& machine, UnixSeconds since)
{
    MachineResults found{.machine = machine};
    const Status results = m_database.run(
        "SELECT question, answer, taken FROM results WHERE machine = ? AND taken >= ?"
        " ORDER BY taken DESC, id DESC",
        {machine.id, since},
        [&found](const sqlite::Row& row) {
            const auto question = rows::questionOf(row.text(0));
            const auto measured = rows::messageOf<Measured>(row.text(1));
            if (question && measured) {
                found.results.push_back({*question, *measured, row.integer(2)});
            }
        });
    if (!results) {
        return results.error();
    }
    const Status peaks = m_database.run(
        "SELECT threads, answer, taken FROM peaks WHERE machine = ? AND taken >= ?"
        " ORDER BY threads",
        {machine.id, since},
        [&found](const sqlite::Row& row) {
            if (const auto read = rows::messageOf<PeaksMeasured>(row.text(1))) {
                found.peaks.push_back({static_cast<int>(row.integer(0)), *read, row.integer(2)});
            }
        });
    return peaks ? Result<MachineResults>(std::move(found)) : peaks.error();
}

Result<std::vector<MachineResults>> MeasurementStore::list(const ResultSelection& selection)
{
    FLOPSMITH_TRY(const std::vector<StoredMachine> wanted, selected(selection));
    std::vector<MachineResults> listed;
    for (const StoredMachine& machine : wanted) {
        FLOPSMITH_TRY(MachineResults next, resultsOf(machine, selection.since));
        if (!next.results.empty() || !next.peaks.empty()) {
            listed.push_back(std::move(next));
        }
    }
    return listed;
}

Result<std::vector<ImportedDevice>> MeasurementStore::importedDevices()
{
    FLOPSMITH_TRY(std::vector<StoredMachine> imported, machines("WHERE m.origin <> ''"));
    std::erase_if(imported, [](const StoredMachine& machine) { return machine.outdated; });
    std::map<std::string, int> alike;
    for (const StoredMachine& machine : imported) {
        ++alike[rows::importedName(machine, rows::WithDevice::no)];
    }
    std::vector<ImportedDevice> devices;
    for (const StoredMachine& machine : imported) {
        FLOPSMITH_TRY(
            const std::int64_t results,
            m_database.number("SELECT COUNT(*) FROM results WHERE machine = ?", {machine.id}));
        const bool several = alike[rows::importedName(machine, rows::WithDevice::no)] > 1;
        devices.push_back(
            {{rows::importedName(machine, several ? rows::WithDevice::yes : rows::WithDevice::no),
              {}},
             machine,
             results});
    }
    return devices;
}

Status MeasurementStore::importInto(std::int64_t id,
                                    const MachineResults& machine,
                                    ImportCounts& counts)
{
    for (const StoredResult& result : machine.results) {
        FLOPSMITH_TRY(
            const std::int64_t there,
            m_database.number("SELECT COUNT(*) FROM results WHERE machine = ? AND question = ?",
                              {id, questionText(result.question)}));
        FLOPSMITH_RETURN_IF_ERROR(rows::write(m_database, id, result, rows::Replace::older));
        const bool changed = m_database.changes() > 0;
        ++(!changed ? counts.known : there > 0 ? counts.renewed : counts.added);
    }
    for (const StoredPeaks& peaks : machine.peaks) {
        FLOPSMITH_RETURN_IF_ERROR(rows::write(m_database, id, peaks, rows::Replace::older));
    }
    return Done{};
}

Result<ImportCounts> MeasurementStore::import(std::span<const MachineResults> machines,
                                              const std::string& origin)
{
    FLOPSMITH_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(m_database));
    ImportCounts counts;
    for (const MachineResults& each : machines) {
        StoredMachine machine = each.machine;
        if (machine.origin.empty()) {
            machine.origin = origin;
        }
        FLOPSMITH_TRY(const std::int64_t id, machineId(machine));
        FLOPSMITH_RETURN_IF_ERROR(m_database.run(
            "UPDATE machines SET seen = MAX(seen, ?) WHERE id = ?", {machine.seen, id}));
        FLOPSMITH_RETURN_IF_ERROR(importInto(id, each, counts));
    }
    const Status done = transaction.commit();
    return done ? Result<ImportCounts>(counts) : done.error();
}

Result<std::int64_t> MeasurementStore::forget(const ResultSelection& selection)
{
    FLOPSMITH_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(m_database));
    FLOPSMITH_TRY(const std::vector<StoredMachine> wanted, selected(selection));
    std::int64_t forgotten = 0;
    for (const StoredMachine& machine : wanted) {
        for (const char* table : {"results", "peaks"}) {
            FLOPSMITH_RETURN_IF_ERROR(m_database.run(std::string("DELETE FROM ") + table
                                                         + " WHERE machine = ? AND taken >= ?",
                                                     {machine.id, selection.since}));
            forgotten += table == std::string("results") ? m_database.changes() : 0;
        }
    }
    FLOPSMITH_RETURN_IF_ERROR(
        m_database.run("DELETE FROM machines WHERE id NOT IN (SELECT machine FROM"
                       " results) AND id NOT IN (SELECT machine FROM peaks)"));
    const Status done = transaction.commit();
    return done ? Result<std::int64_t>(forgotten) : done.error();
}

} // namespace flopsmith
