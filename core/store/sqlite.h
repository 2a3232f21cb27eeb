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

// As much of SQLite as the store needs, with sentences in place of codes.
namespace flopsmith::sqlite {

/// What a "?" of a statement stands for.
using Value = std::variant<std::int64_t, std::string>;

/// One row of an answer, valid while the callback runs that got it.
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
    existing, ///< the file must be there; one that cannot be written is opened for reading
    create, ///< an absent file is made
    snapshot, ///< read without a lock: for a file that nobody can be writing
};

/// A connection, used by one thread at a time. Errors are sentences that begin with the file.
class Database
{
public:
    /// Several connections may write at once: each waits for the others up to five seconds.
    static Result<Database> open(const std::filesystem::path& file, OpenMode mode);
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    ~Database();

    const std::filesystem::path& file() const { return m_file; }
    bool isReadOnly() const;

    /// Runs one statement; `each` is called for every row of its answer.
    Status run(const std::string& sql,
               const std::vector<Value>& values = {},
               const std::function<void(const Row&)>& each = {});

    /// Of one statement whose answer is one number; 0 if it has no row.
    Result<std::int64_t> number(const std::string& sql, const std::vector<Value>& values = {});

    /// Rows that the last statement inserted, changed or removed.
    std::int64_t changes() const;

private:
    Database() = default;
    Error error(int code) const;

    std::filesystem::path m_file;
    sqlite3* m_connection = nullptr;
};

/// Everything between begin() and commit() happens or does not. Without a commit it is taken back.
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
