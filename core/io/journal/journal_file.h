// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"
#include "core/io/journal/journal_entry.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Where journals are kept: $XDG_STATE_HOME/flopsmith/journal, or the same under
/// $HOME/.local/state; empty if there is no absolute path of either kind.
std::filesystem::path journalFolder();

/// Longer journals are shortened, more journals are not kept.
inline constexpr std::size_t kLargestJournal = std::size_t{4} << 20U; // 4 MiB
inline constexpr std::size_t kMaxJournals = 32;

/// A journal on the disk, locked while this object lives: the lock ends with the process, in
/// whatever way, so a journal without a lock was left by a crash. Lines have reached the disk when
/// a function returns.
class JournalFile
{
public:
    /// A new journal that holds the lines. It appears under its name complete and locked. The
    /// folder is created for its owner alone; the oldest abandoned journals are removed if there
    /// would be too many.
    static Result<JournalFile> create(const std::filesystem::path& folder, std::string_view lines);

    /// A journal that is not locked; nothing if it is, or if it is gone.
    static std::optional<JournalFile> takeOver(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    std::size_t size() const { return m_size; }

    /// False after somebody removed the file.
    bool isThere() const;

    Result<std::string> text() const;

    /// On failure the journal is unchanged.
    Status append(std::string_view lines);

    /// Replaces the content in one step.
    Status replace(std::string_view lines);

    void remove();

private:
    JournalFile() = default;

    std::filesystem::path m_path;
    FileHandle m_file; ///< closed, it is unlocked
    std::size_t m_size = 0;
};

/// A journal that a crash left, locked so that no other window offers it at the same time.
struct AbandonedJournal
{
    JournalFile file;
    std::int64_t written = 0; ///< seconds since 1970
    Result<JournalHistory> history;
};

/// All abandoned journals, newest first; those of running programs are skipped. Empty if the folder
/// does not exist.
std::vector<AbandonedJournal> abandonedJournals(const std::filesystem::path& folder);

} // namespace flopsmith
