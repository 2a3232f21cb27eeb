// SPDX-License-Identifier: MIT
#include "core/store/sqlite.h"

#include <sqlite3.h>

#include <memory>
#include <utility>

namespace flopsmith::sqlite {
namespace {

constexpr int kBusyMilliseconds = 5'000;

struct Finalize
{
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// A result code in words.
std::string reason(int code)
{
    switch (code & 0xFF) { // the rest of the bits are details
    case SQLITE_NOTADB: return "is no SQLite database";
    case SQLITE_CORRUPT: return "is damaged";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return "cannot be written";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "is held by another program that does not let go of it";
    case SQLITE_FULL: return "cannot grow: the disk is full";
    case SQLITE_CANTOPEN: return "cannot be opened";
    case SQLITE_IOERR: return "cannot be read or written";
    case SQLITE_TOOBIG: return "does not take a text this long";
    default: return std::string("cannot be used (") + sqlite3_errstr(code) + ")";
    }
}

int bound(sqlite3_stmt* statement, int place, const Value& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return sqlite3_bind_int64(statement, place, *number);
    }
    const auto& text = std::get<std::string>(value);
    return sqlite3_bind_text64(
        statement, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

// In a read-only folder SQLite cannot create the shared files of a WAL.
std::string snapshotUri(const std::filesystem::path& file)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' || c == '_';
        uri +=
            plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
    return uri + "?immutable=1";
}

} // namespace

std::int64_t Row::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::string Row::text(int column) const
{
    const unsigned char* text = sqlite3_column_text(m_statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    return text == nullptr
        ? std::string{}
        : std::string(reinterpret_cast<const char*>(text), size); // NOLINT: SQLite's type of UTF-8
}

Result<Database> Database::open(const std::filesystem::path& file, OpenMode mode)
{
    Database database;
    database.m_file = file;
    const bool snapshot = mode == OpenMode::snapshot;
    const std::string name = snapshot ? snapshotUri(file) : file.string();
    const int flags = snapshot
        ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        : SQLITE_OPEN_READWRITE | (mode == OpenMode::create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(name.c_str(), &database.m_connection, flags, nullptr);
    if (code != SQLITE_OK) {
        return database.error(code);
    }
    sqlite3_extended_result_codes(database.m_connection, 1);
    sqlite3_busy_timeout(database.m_connection, kBusyMilliseconds);
    // Keeps a foreign file from running code (defensive mode).
    sqlite3_db_config(database.m_connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database.m_connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database.m_connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database.m_connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    return database;
}

Database::Database(Database&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_connection(std::exchange(other.m_connection, nullptr))
{}

Database& Database::operator=(Database&& other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_connection, other.m_connection);
    return *this;
}

Database::~Database()
{
    sqlite3_close(m_connection);
}

bool Database::isReadOnly() const
{
    return sqlite3_db_readonly(m_connection, "main") != 0;
}

Status Database::run(const std::string& sql,
                     const std::vector<Value>& values,
                     const std::function<void(const Row&)>& each)
{
    sqlite3_stmt* raw = nullptr;
    int code =
        sqlite3_prepare_v2(m_connection, sql.c_str(), static_cast<int>(sql.size()), &raw, nullptr);
    const Statement statement(raw);
    for (std::size_t i = 0; code == SQLITE_OK && i < values.size(); ++i) {
        code = bound(raw, static_cast<int>(i) + 1, values[i]);
    }
    if (code != SQLITE_OK) {
        return error(code);
    }
    while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
        if (each) {
            each(Row(raw));
        }
    }
    return code == SQLITE_DONE ? Status(Done{}) : Status(error(code));
}

Result<std::int64_t> Database::number(const std::string& sql, const std::vector<Value>& values)
{
    std::int64_t number = 0;
    const Status done = run(sql, values, [&number](const Row& row) { number = row.integer(0); });
    return done ? Result<std::int64_t>(number) : done.error();
}

std::int64_t Database::changes() const
{
    return sqlite3_changes64(m_connection);
}

Error Database::error(int code) const
{
    return {"the measurement store " + m_file.string() + " " + reason(code)};
}

Result<Transaction> Transaction::begin(Database& database)
{
    FLOPSMITH_RETURN_IF_ERROR(database.run("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{}

Transaction::~Transaction()
{
    if (m_database != nullptr) {
        (void)m_database->run("ROLLBACK"); // the original failure was reported
    }
}

Status Transaction::commit()
{
    const Status done = m_database->run("COMMIT");
    if (done) {
        m_database = nullptr;
    }
    return done;
}

} // namespace flopsmith::sqlite
