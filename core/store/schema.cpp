// SPDX-License-Identifier: MIT
#include "core/store/schema.h"

#include <array>
#include <span>
#include <string>

namespace flopsmith {
namespace {

constexpr std::int64_t kApplicationId = 0x466C6F70; // "Flop", in the header of the file

// A machine is one device with one set of libraries, driver and program; its origin is empty if it
// measured from here, and else names the source of the import. A result belongs to a machine
// and a question (both texts are canonical JSON, see signature.h).
constexpr std::array kFirst{
    "CREATE TABLE machines (id INTEGER PRIMARY KEY, origin TEXT NOT NULL, device TEXT NOT NULL,"
    " kind TEXT NOT NULL, signature TEXT NOT NULL, described TEXT NOT NULL, seen INTEGER NOT NULL,"
    " UNIQUE (origin, device, kind, signature))",
    "CREATE TABLE results (id INTEGER PRIMARY KEY,"
    " machine INTEGER NOT NULL REFERENCES machines (id) ON DELETE CASCADE,"
    " question TEXT NOT NULL, answer TEXT NOT NULL, taken INTEGER NOT NULL,"
    " UNIQUE (machine, question))",
};

// Peaks, and the machine that each device's command reached last, so that stored times can be shown
// before the device answers.
constexpr std::array kSecond{
    "CREATE TABLE peaks ("
    " machine INTEGER NOT NULL REFERENCES machines (id) ON DELETE CASCADE,"
    " threads INTEGER NOT NULL, answer TEXT NOT NULL, taken INTEGER NOT NULL,"
    " PRIMARY KEY (machine, threads))",
    "CREATE TABLE devices (command TEXT PRIMARY KEY,"
    " machine INTEGER NOT NULL REFERENCES machines (id) ON DELETE CASCADE)",
    "CREATE INDEX results_by_time ON results (taken)",
};

using Step = std::span<const char* const>;
const std::array<Step, kStoreVersion> kSteps{Step(kFirst), Step(kSecond)};

struct Found
{
    std::int64_t application = 0;
    std::int64_t version = 0;
    std::int64_t tables = 0;

    bool isNew() const { return application == 0 && version == 0 && tables == 0; }
};

Result<Found> found(sqlite::Database& database)
{
    Found found;
    struct Question
    {
        const char* sql;
        std::int64_t Found::*answer;
    };
    constexpr std::array<Question, 3> kQuestions{
        {{"PRAGMA application_id", &Found::application},
         {"PRAGMA user_version", &Found::version},
         {"SELECT COUNT(*) FROM sqlite_master", &Found::tables}}};
    for (const Question& question : kQuestions) {
        FLOPSMITH_TRY(const std::int64_t number, database.number(question.sql));
        found.*question.answer = number;
    }
    return found;
}

Status judged(const Found& found, const sqlite::Database& database)
{
    const std::string file = "the measurement store " + database.file().string();
    if (!found.isNew() && found.application != kApplicationId) {
        return Error{file + " is a database of another program"};
    }
    if (found.version < 0) {
        return Error{file + " has the layout " + std::to_string(found.version)
                     + ", which no Flopsmith writes"};
    }
    if (found.version > kStoreVersion) {
        return Error{file + " has the layout " + std::to_string(found.version)
                     + " of a later Flopsmith; this one knows those up to "
                     + std::to_string(kStoreVersion)};
    }
    if (found.version < kStoreVersion && database.isReadOnly()) {
        return Error{file + " has an earlier layout, and cannot be written to bring it up to date"};
    }
    return Done{};
}

// Reads in one transaction, because another program may be creating the tables.
Result<Found> foundAtOnce(sqlite::Database& database)
{
    FLOPSMITH_RETURN_IF_ERROR(database.run("BEGIN"));
    Result<Found> all = found(database);
    (void)database.run("ROLLBACK"); // nothing was written
    return all;
}

// If several programs upgrade the same file, the second finds it upgraded.
Status upgrade(sqlite::Database& database)
{
    FLOPSMITH_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(database));
    FLOPSMITH_TRY(const Found now, found(database));
    FLOPSMITH_RETURN_IF_ERROR(judged(now, database));
    for (auto step = static_cast<std::size_t>(now.version); step < kSteps.size(); ++step) {
        for (const char* sql : kSteps.at(step)) {
            FLOPSMITH_RETURN_IF_ERROR(database.run(sql));
        }
    }
    for (const std::string& mark : {"PRAGMA application_id = " + std::to_string(kApplicationId),
                                    "PRAGMA user_version = " + std::to_string(kStoreVersion)}) {
        FLOPSMITH_RETURN_IF_ERROR(database.run(mark));
    }
    return transaction.commit();
}

} // namespace

Status prepareSchema(sqlite::Database& database)
{
    FLOPSMITH_TRY(const Found first, foundAtOnce(database));
    FLOPSMITH_RETURN_IF_ERROR(judged(first, database));
    if (!database.isReadOnly()) {
        // With WAL readers never wait for a writer. File systems without support for it keep the
        // rollback journal, which only waits more.
        (void)database.run("PRAGMA journal_mode = WAL");
        (void)database.run("PRAGMA synchronous = NORMAL");
    }
    FLOPSMITH_RETURN_IF_ERROR(database.run("PRAGMA foreign_keys = ON"));
    return first.version == kStoreVersion ? Status(Done{}) : upgrade(database);
}

} // namespace flopsmith
