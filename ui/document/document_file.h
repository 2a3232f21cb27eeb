// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

#include <string>

namespace flopsmith {
struct Project;
}

namespace flopsmith::ui {

class Document;

/// Where a document comes from: no path and no hash if it is in no file.
struct FileOrigin
{
    QString path{};
    std::string hash{}; ///< of the file's content when last read or written
};

/// The file of a document: reading, writing and comparing it with what is on the disk.
class DocumentFile
{
public:
    explicit DocumentFile(Document& document)
        : m_document(document)
    {}

    /// Empty until the document has been saved or opened.
    const QString& path() const { return m_origin.path; }
    const std::string& hash() const { return m_origin.hash; }

    /// Reads a project or a Hugging Face config.json and starts a new undo history; on failure the
    /// document is unchanged. Only a project becomes the file that save() writes. Returns the notes
    /// of an import.
    Result<QStringList> open(const QString& path);

    /// All that save() writes.
    Project project() const;

    /// Writes the whole project or, on failure, nothing. save() needs a path().
    Status save() { return saveAs(path()); }
    Status saveAs(const QString& path);

    /// Whether the file is unchanged since it was last read or written.
    enum class OnDisk { asLeft, changed, removed };
    OnDisk onDisk() const;

    /// Reloads the file as one undo step; the document is unmodified afterwards.
    Status reload();

    /// Begins anew with another document, whose window section is kept.
    void restart(FileOrigin origin, std::string view);

private:
    Document& m_document;
    FileOrigin m_origin;
    std::string m_view; ///< the file's window section as JSON, written back unchanged
};

} // namespace flopsmith::ui
