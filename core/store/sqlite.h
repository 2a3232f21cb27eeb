// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

// A thin wrapper of the parts of SQLite that the store needs, with sentences for result codes.
namespace flopsmith::sqlite {

/// A parameter bound to a "?" of a statement.
using Value = std::variant<std::int64_t, std::string>;

/// One row of a result, valid during the callback.
class Row
{
public:
    explicit Row(sqlite3_stmt* statement)
        : m_statement(statement)
    {}

    std::int64_t integer(int column) const;
    std::string text(int column) const;

private:
    sqlite3_stmt* m_statement;
};

enum class OpenMode {
    existing, ///< the file must exist; a read-only file is opened for reading
    create, ///< an absent file is created
    snapshot, ///< read without a lock: for a file that no program writes
};

/// A connection, used by one thread at a time. Errors are sentences that begin with the file.
class Database
{
public:
    /// Several connections may write: each waits for the others up to five seconds.
    static Result<Database> open(const std::filesystem::path& file, OpenMode mode);
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    ~Database();

    const std::filesystem::path& file() const { return m_file; }
    bool isReadOnly() const;

    /// Runs one statement; `each` is called for every row of its result.
    Status run(const std::string& sql,
               const std::vector<Value>& values = {},
               const std::function<void(const Row&)>& each = {});

    /// Runs one statement whose result is one number; 0 if there is no row.
    Result<std::int64_t> number(const std::string& sql, const std::vector<Value>& values = {});

    /// Rows that the last statement inserted, changed or removed.
    std::int64_t changes() const;

private:
    Database() = default;
    Error error(int code) const;

    std::filesystem::path m_file;
    sqlite3* m_connection = nullptr;
};

/// A transaction; the destructor rolls it back without a commit().
class Transaction
{
public:
    /// Waits until no other connection writes.
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    Status commit();

private:
    explicit Transaction(Database& database)
        : m_database(&database)
    {}

    Database* m_database;
};

} // namespace flopsmith::sqlite
