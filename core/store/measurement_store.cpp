// SPDX-License-Identifier: MIT
#include "core/store/measurement_store.h"

#include "core/base/user_folder.h"
#include "core/json/json_text.h"
#include "core/protocol/measuring/best_peaks.h"
#include "core/protocol/measuring/settling.h"
#include "core/store/rows.h"
#include "core/store/schema.h"
#include "core/store/signature.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <system_error>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

std::string setting(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): none is ever set
    return value == nullptr ? "" : value;
}

bool canMakeFiles(const fs::path& folder)
{
    const std::string name = folder.empty() ? "." : folder.string();
    return ::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) == 0;
}

// Results that are not in the file itself yet.
bool hasLog(const fs::path& file)
{
    std::error_code absent;
    return fs::file_size(file.string() + "-wal", absent) > 0 && !absent;
}

std::string commandText(const Device& device)
{
    return jsonText(device.command);
}

} // namespace

UnixSeconds unixNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

fs::path storeFile()
{
    if (const std::string named = setting("FLOPSMITH_STORE"); !named.empty()) {
        return named;
    }
    const fs::path base = userFolder("XDG_DATA_HOME", fs::path(".local") / "share");
    return base.empty() ? base : base / "flopsmith" / "measurements.db";
}

Result<MeasurementStore> MeasurementStore::prepared(sqlite::Database database)
{
    FLOPSMITH_RETURN_IF_ERROR(prepareSchema(database));
    return MeasurementStore(std::move(database));
}

Result<MeasurementStore> MeasurementStore::open(const fs::path& file)
{
    if (file.empty()) {
        return Error{"there is no place for a measurement store: HOME is not set; name a file with "
                     "--store or FLOPSMITH_STORE"};
    }
    std::error_code failed;
    if (file == storeFile() && setting("FLOPSMITH_STORE").empty()) {
        fs::create_directories(file.parent_path(), failed); // failures are reported below
    }
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, failed)) {
        return Error{"the measurement store " + file.string()
                     + " cannot be made: there is no folder " + folder.string()};
    }
    if (fs::exists(file, failed) && !fs::is_regular_file(file, failed)) {
        return Error{"the measurement store " + file.string() + " is no file"};
    }
    FLOPSMITH_TRY(sqlite::Database database,
                  sqlite::Database::open(file, sqlite::OpenMode::create));
    if (database.isReadOnly()) {
        return Error{"the measurement store " + file.string() + " cannot be written"};
    }
    return prepared(std::move(database));
}

Result<std::optional<MeasurementStore>> MeasurementStore::openExisting(const fs::path& file)
{
    std::error_code failed;
    if (file.empty() || !fs::exists(file, failed)) {
        return std::optional<MeasurementStore>{};
    }
    if (!fs::is_regular_file(file, failed)) {
        return Error{"the measurement store " + file.string() + " is no file"};
    }
    FLOPSMITH_TRY(sqlite::Database database,
                  sqlite::Database::open(file, sqlite::OpenMode::existing));
    const bool readOnly = database.isReadOnly() || !canMakeFiles(file.parent_path());
    Result<MeasurementStore> store = prepared(std::move(database));
    if (store) {
        return std::optional<MeasurementStore>(std::move(*store));
    }
    if (readOnly && !hasLog(file)) {
        Result<sqlite::Database> snapshot =
            sqlite::Database::open(file, sqlite::OpenMode::snapshot);
        Result<MeasurementStore> seen =
            snapshot ? prepared(std::move(*snapshot)) : Result<MeasurementStore>(snapshot.error());
        if (seen) {
            return std::optional<MeasurementStore>(std::move(*seen));
        }
    }
    return store.error();
}

// Inserts the machine if it is new. It becomes the latest of its device, even if this computer's
// clock was set back.
Result<std::int64_t> MeasurementStore::machineId(const StoredMachine& machine)
{
    const std::vector<sqlite::Value> key{machine.origin,
                                         machine.described.device,
                                         machine.described.kind,
                                         machineSignature(machine.described)};
    std::vector<sqlite::Value> values = key;
    values.emplace_back(rows::answerText(machine.described));
    values.emplace_back(machine.seen);
    FLOPSMITH_RETURN_IF_ERROR(m_database.run(
        "INSERT INTO machines (origin, device, kind, signature, described, seen)"
        " VALUES (?1, ?2, ?3, ?4, ?5, MAX(?6, (SELECT COALESCE(MAX(seen) + 1, 0) FROM machines"
        " WHERE ?1 = '' AND origin = ?1 AND device = ?2 AND kind = ?3))) ON CONFLICT DO NOTHING",
        values));
    return m_database.number("SELECT id FROM machines WHERE origin = ? AND device = ? AND kind = ?"
                             " AND signature = ?",
                             key);
}

Result<StoredMachine> MeasurementStore::seen(const Device& device,
                                             const Described& described,
                                             UnixSeconds when)
{
    FLOPSMITH_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(m_database));
    StoredMachine machine{.described = described, .seen = when};
    FLOPSMITH_TRY(const std::int64_t id, machineId(machine));
    machine.id = id;
    FLOPSMITH_RETURN_IF_ERROR(
        m_database.run(std::string("UPDATE machines AS m SET described = ?2, seen = MAX(?3,"
                                   " (SELECT COALESCE(MAX(n.seen) + 1, 0) FROM machines n WHERE ")
                           + rows::kSameDevice + ")) WHERE id = ?1",
                       {machine.id, rows::answerText(described), when}));
    FLOPSMITH_RETURN_IF_ERROR(
        m_database.run("INSERT INTO devices (command, machine) VALUES (?1, ?2)"
                       " ON CONFLICT (command) DO UPDATE SET machine = excluded.machine",
                       {commandText(device), machine.id}));
    const Status done = transaction.commit();
    return done ? Result<StoredMachine>(machine) : done.error();
}

Result<std::vector<StoredMachine>> MeasurementStore::machines(
    const std::string& condition,
    const std::vector<sqlite::Value>& values)
{
    std::vector<StoredMachine> found;
    const Status read =
        m_database.run(std::string("SELECT m.id, m.origin, m.described, m.seen,"
                                   " EXISTS (SELECT 1 FROM machines n WHERE ")
                           + rows::kSameDevice + " AND n.seen > m.seen) FROM machines m "
                           + condition + " ORDER BY m.origin, m.seen DESC, m.id DESC",
                       values,
                       [&found](const sqlite::Row& row) {
                           if (const auto described = rows::messageOf<Described>(row.text(2))) {
                               found.push_back({.id = row.integer(0),
                                                .origin = row.text(1),
                                                .described = *described,
                                                .seen = row.integer(3),
                                                .outdated = row.integer(4) != 0});
                           }
                       });
    return read ? Result<std::vector<StoredMachine>>(std::move(found)) : read.error();
}

Result<std::optional<StoredMachine>> MeasurementStore::machineOf(const Device& device)
{
    if (device.command.empty()) {
        FLOPSMITH_TRY(const std::vector<ImportedDevice> imported, importedDevices());
        for (const ImportedDevice& each : imported) {
            if (each.device == device) {
                return std::optional(each.machine);
            }
        }
        return std::optional<StoredMachine>{};
    }
    FLOPSMITH_TRY(
        const std::vector<StoredMachine> found,
        machines("JOIN devices d ON d.machine = m.id WHERE d.command = ?", {commandText(device)}));
    return found.empty() ? std::optional<StoredMachine>{} : std::optional(found.front());
}

// `better` returns the result to keep for that machine.
template <class Stored, class Better>
Result<Stored> MeasurementStore::kept(const Described& described,
                                      const Stored& stored,
                                      const Better& better)
{
    FLOPSMITH_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(m_database));
    FLOPSMITH_TRY(const std::int64_t machine,
                  machineId({.described = described, .seen = stored.taken}));
    const Result<Stored> chosen = better(StoredMachine{.id = machine});
    if (!chosen) {
        return chosen.error();
    }
    FLOPSMITH_RETURN_IF_ERROR(rows::write(m_database, machine, *chosen, rows::Replace::always));
    const Status done = transaction.commit();
    return done ? chosen : done.error();
}

Result<StoredResult> MeasurementStore::keep(const Described& described, const StoredResult& result)
{
    return kept(described, result, [&](const StoredMachine& machine) -> Result<StoredResult> {
        FLOPSMITH_TRY(const auto earlier, find(machine, result.question));
        if (earlier && earlier->measured.settled && !result.measured.settled) {
            return *earlier;
        }
        StoredResult latest = result;
        latest.measured = repeated(earlier ? earlier->measured : Measured{}, result.measured);
        return latest;
    });
}

Status MeasurementStore::keep(const Described& described, const StoredPeaks& peaks)
{
    const Result<StoredPeaks> stands =
        kept(described, peaks, [&](const StoredMachine& machine) -> Result<StoredPeaks> {
            FLOPSMITH_TRY(const auto earlier, findPeaks(machine, peaks.threads));
            StoredPeaks best = peaks;
            if (earlier) {
                best.peaks = bestOf(earlier->peaks, peaks.peaks);
            }
            return best;
        });
    return stands ? Status(Done{}) : stands.error();
}

Result<std::optional<StoredResult>> MeasurementStore::find(const StoredMachine& machine,
                                                           const MeasureRequest& question)
{
    std::optional<StoredResult> found;
    const Status read =
        m_database.run("SELECT answer, taken FROM results WHERE machine = ? AND question = ?",
                       {machine.id, questionText(question)},
                       [&](const sqlite::Row& row) {
                           if (const auto measured = rows::messageOf<Measured>(row.text(0))) {
                               found = StoredResult{question, *measured, row.integer(1)};
                           }
                       });
    return read ? Result<std::optional<StoredResult>>(std::move(found)) : read.error();
}

Result<std::optional<StoredPeaks>> MeasurementStore::findPeaks(const StoredMachine& machine,
                                                               int threads)
{
    std::optional<StoredPeaks> found;
    const Status read =
        m_database.run("SELECT answer, taken FROM peaks WHERE machine = ? AND threads = ?",
                       {machine.id, std::int64_t{threads}},
                       [&](const sqlite::Row& row) {
                           if (const auto peaks = rows::messageOf<PeaksMeasured>(row.text(0))) {
                               found = StoredPeaks{threads, *peaks, row.integer(1)};
                           }
                       });
    return read ? Result<std::optional<StoredPeaks>>(std::move(found)) : read.error();
}

} // namespace flopsmith
