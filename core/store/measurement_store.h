// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/device/device.h"
#include "core/protocol/wire/message.h"
#include "core/store/sqlite.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {

/// Seconds since 1970, as in a file or a database.
using UnixSeconds = std::int64_t;

UnixSeconds unixNow();

/// The default store: $FLOPSMITH_STORE, or $XDG_DATA_HOME/flopsmith/measurements.db, or the same
/// under $HOME/.local/share; empty if none of them is set.
std::filesystem::path storeFile();

/// A device with one set of libraries, driver and program, and its description.
struct StoredMachine
{
    std::int64_t id = 0; ///< in its store
    std::string origin{}; ///< empty: measured from here; else the source of the import: "lab-gpu"
    Described described{};
    UnixSeconds seen = 0;
    /// The device has answered later with other libraries, another driver or another program.
    bool outdated = false;

    bool isImported() const { return !origin.empty(); }
};

struct StoredResult
{
    MeasureRequest question{}; ///< id and budget are unused
    Measured measured{};
    UnixSeconds taken = 0;
    bool operator==(const StoredResult&) const = default;
};

struct StoredPeaks
{
    int threads = 0; ///< as requested; 0: as many as the device has
    PeaksMeasured peaks{};
    UnixSeconds taken = 0;
    bool operator==(const StoredPeaks&) const = default;
};

/// All stored results of a machine.
struct MachineResults
{
    StoredMachine machine{};
    std::vector<StoredResult> results{};
    std::vector<StoredPeaks> peaks{};
};

/// A filter of results; the default selects all.
struct ResultSelection
{
    enum class Age { any, current, outdated };

    std::string device{}; ///< part of a device's text, its origin or its name, in any case
    UnixSeconds since = 0; ///< taken then or later
    Age age = Age::any;
};

/// Counts of an import.
struct ImportCounts
{
    std::int64_t added = 0;
    std::int64_t renewed = 0; ///< replaced an older result for the same question
    std::int64_t known = 0; ///< skipped: the store has the same result or a later one
};

/// "GPU of lab-gpu (imported)": a device that cannot measure here, but has stored results.
struct ImportedDevice
{
    Device device{}; ///< without a command
    StoredMachine machine{}; ///< the one that answered last
    std::int64_t results = 0;
};

/// Persistent results of measurements in one SQLite file. A result belongs to a question and a
/// machine; a device with another library, driver or program counts as another machine, so that
/// results are never mixed up. Several programs may use one file at once, but only one thread at a
/// time a MeasurementStore. Every failure is one sentence that names the file, which stays
/// unchanged.
class MeasurementStore
{
public:
    /// Opens the file for reading and writing. An absent one is created, with its folder if that
    /// is the default place of storeFile(); an empty path is an Error.
    static Result<MeasurementStore> open(const std::filesystem::path& file);

    /// Opens an existing file, for reading only if it cannot be written; nothing if it is absent.
    static Result<std::optional<MeasurementStore>> openExisting(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return m_database.file(); }

    /// Records that a device has answered: its results as any other machine become outdated.
    Result<StoredMachine> seen(const Device& device, const Described& described, UnixSeconds when);

    /// The device's machine at its last answer, or that of an imported device. Nothing if there is
    /// none.
    Result<std::optional<StoredMachine>> machineOf(const Device& device);

    /// Stores a result and replaces an earlier one for the same question and machine, unless that
    /// one has settled and this one has not. Returns the stored result, with the medians of earlier
    /// ones: see repeated().
    Result<StoredResult> keep(const Described& described, const StoredResult& result);
    /// Stores the best of these and of the earlier peaks: see bestOf().
    Status keep(const Described& described, const StoredPeaks& peaks);

    Result<std::optional<StoredResult>> find(const StoredMachine& machine,
                                             const MeasureRequest& question);
    Result<std::optional<StoredPeaks>> findPeaks(const StoredMachine& machine, int threads);

    /// Results by machine, latest first. Skips machines without a selected result, and results that
    /// this program cannot read.
    Result<std::vector<MachineResults>> list(const ResultSelection& selection = {});

    /// The devices whose results were imported, by name.
    Result<std::vector<ImportedDevice>> importedDevices();

    /// Adds results of other computers under their machines' origins, or `origin` for machines
    /// without one. Importing the same results again changes nothing.
    Result<ImportCounts> import(std::span<const MachineResults> machines,
                                const std::string& origin);

    /// Removes the selected results and returns their number.
    Result<std::int64_t> forget(const ResultSelection& selection);

private:
    explicit MeasurementStore(sqlite::Database database)
        : m_database(std::move(database))
    {}

    static Result<MeasurementStore> prepared(sqlite::Database database);
    Result<std::int64_t> machineId(const StoredMachine& machine);
    Result<std::vector<StoredMachine>> machines(const std::string& condition = "",
                                                const std::vector<sqlite::Value>& values = {});
    Result<std::vector<StoredMachine>> selected(const ResultSelection& selection);
    template <class Stored, class Better>
    Result<Stored> kept(const Described& described, const Stored& stored, const Better& better);
    Result<MachineResults> resultsOf(const StoredMachine& machine, UnixSeconds since);
    Status importInto(std::int64_t id, const MachineResults& machine, ImportCounts& counts);

    sqlite::Database m_database;
};

} // namespace flopsmith
