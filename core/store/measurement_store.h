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

/// Where results are kept: $FLOPSMITH_STORE, or $XDG_DATA_HOME/flopsmith/measurements.db, or the
/// same under $HOME/.local/share; empty if none of them is set.
std::filesystem::path storeFile();

/// A device under one set of libraries, driver and program, with what it said of itself.
struct StoredMachine
{
    std::int64_t id = 0; ///< in its store
    std::string origin{}; ///< empty: asked from here; else whose results were imported: "lab-gpu"
    Described described{};
    UnixSeconds seen = 0;
    /// The same device has answered since with other libraries, another driver or another program.
    bool outdated = false;

    bool isImported() const { return !origin.empty(); }
};

struct StoredResult
{
    MeasureRequest question{}; ///< its id and budget mean nothing
    Measured measured{};
    UnixSeconds taken = 0;
    bool operator==(const StoredResult&) const = default;
};

struct StoredPeaks
{
    int threads = 0; ///< as asked for: 0 is as many as the device has
    PeaksMeasured peaks{};
    UnixSeconds taken = 0;
    bool operator==(const StoredPeaks&) const = default;
};

/// All that is kept of a machine.
struct MachineResults
{
    StoredMachine machine{};
    std::vector<StoredResult> results{};
    std::vector<StoredPeaks> peaks{};
};

/// Which results are meant; the default is all of them.
struct ResultSelection
{
    enum class Age { any, current, outdated };

    std::string device{}; ///< part of a device's text, its origin or its name, in any case
    UnixSeconds since = 0; ///< taken then or later
    Age age = Age::any;
};

/// What an import did.
struct ImportCounts
{
    std::int64_t added = 0;
    std::int64_t renewed = 0; ///< replaced an older result for the same question
    std::int64_t known = 0; ///< was there already, or a later one
};

/// "GPU of lab-gpu (imported)": a device that cannot be asked, but has stored results.
struct ImportedDevice
{
    Device device{}; ///< without a command
    StoredMachine machine{}; ///< the one that answered last
    std::int64_t results = 0;
};

/// Results of measurements in one SQLite file, kept from one run of the program to the next. A
/// result answers for a question and the machine that it was measured on; a machine with another
/// library, driver or program is another machine, so that nothing is ever taken for what it is
/// not. Several programs may use one file at once; one thread at a time uses a MeasurementStore.
/// Every failure is one sentence that names the file, and leaves it as it is.
class MeasurementStore
{
public:
    /// Opens the file for reading and writing. An absent one is created, with its folder if that
    /// is the default place of storeFile(); an empty path is an Error.
    static Result<MeasurementStore> open(const std::filesystem::path& file);

    /// The same for those who only look: nothing is created, and an absent file is no store. A
    /// file that cannot be written can still be read, also where its folder cannot be written.
    static Result<std::optional<MeasurementStore>> openExisting(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return m_database.file(); }

    /// Notes that a device has answered: its results under any other machine are outdated now.
    Result<StoredMachine> seen(const Device& device, const Described& described, UnixSeconds when);

    /// What the device answered last time, or what an imported one is. Nothing if never.
    Result<std::optional<StoredMachine>> machineOf(const Device& device);

    /// Keeps a result, in place of an earlier one for the same question on the same machine, unless
    /// that one has settled and this has not. What stands then, with the medians of those before it:
    /// see repeated().
    Result<StoredResult> keep(const Described& described, const StoredResult& result);
    /// Keeps the best of these and of the earlier ones: see bestOf().
    Status keep(const Described& described, const StoredPeaks& peaks);

    Result<std::optional<StoredResult>> find(const StoredMachine& machine,
                                             const MeasureRequest& question);
    Result<std::optional<StoredPeaks>> findPeaks(const StoredMachine& machine, int threads);

    /// By machine, the ones seen last first; results latest first. Machines without a selected
    /// result are left out, and so are results that this program cannot read.
    Result<std::vector<MachineResults>> list(const ResultSelection& selection = {});

    /// The devices whose results were imported, by name.
    Result<std::vector<ImportedDevice>> importedDevices();

    /// Adds results from elsewhere under their machines' origins; `origin` is that of machines
    /// without one. Importing the same again changes nothing.
    Result<ImportCounts> import(std::span<const MachineResults> machines,
                                const std::string& origin);

    /// Removes the selected results; how many.
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
