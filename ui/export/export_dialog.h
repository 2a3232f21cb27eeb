// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/throttle.h"
#include "ui/export/folder_check.h"
#include "ui/export/folder_writing.h"
#include "ui/export/program_parts.h"
#include "ui/export/program_preview.h"

#include <QDialog>

#include <optional>

QT_BEGIN_NAMESPACE
class QBoxLayout;
class QCheckBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Panel;
class SourceView;

/// "Export › PyTorch…": the program of the document's model, which follows the document, with links
/// to its classes and a copy button; and its export into a folder, which is checked afterwards if a
/// Python with torch is found.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(Document& document, const ExportTarget& target, QWidget& window);

    QListWidget& classes() { return *m_classes; }
    SourceView& source() { return *m_source; }
    QPushButton& copyClassButton() { return *m_copyClass; }
    QPushButton& copyAllButton() { return *m_copyAll; }
    QSpinBox& seed() { return *m_seed; }
    QCheckBox& weights() { return *m_weights; }
    QCheckBox& gradients() { return *m_gradients; }
    QPushButton& exportButton() { return *m_export; }

    QString planned() const; ///< what will be written, or why nothing can be
    QString message() const; ///< the last result
    QString checked() const; ///< where it was checked and with what result

    /// Writes a new folder and checks it. message() then tells how it went.
    void exportTo(const QString& folder);

    void done(int result) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class Work { none, writing, checking };

    QString named(const char* name) const;
    QPushButton* addButton(QBoxLayout& line, const char* name, const QString& text);
    QLabel* addLabel(QBoxLayout& column, const char* name);
    void addPanels(QBoxLayout& column);
    void addCopyButtons(QBoxLayout& column);
    void addOptions(QBoxLayout& column);
    void addEnd(QBoxLayout& column);
    void addClassKeys();
    void connectAll();

    FolderOptions options() const;
    void showPreview(const Result<std::string>& source, const Result<ExportedFolder>& folder);
    void showProgram(const QString& program);
    void fillClasses();
    void goToClass();
    void copyClass();
    void copyAll();
    void exportOrStop();
    void askAndExport();
    void take(const Result<ExportedFolder>& folder);
    void takeVerdict(const FolderVerdict& verdict);
    void showWork(Work work);
    void showAge();

    Document& m_document;
    const ExportTarget& m_target;
    ProgramPreview m_preview;
    FolderWriting m_writing;
    FolderCheck m_check;
    Throttle m_update;
    Work m_work = Work::none;
    bool m_isClosed = false; ///< true while running work ends
    QString m_program;
    QList<ProgramPart> m_parts; ///< of the program
    std::optional<ExportedFolder> m_planned; ///< empty if the model cannot be exported
    QString m_folder; ///< that was written last
    std::optional<Model> m_written; ///< the model in it
    Panel* m_sourcePanel = nullptr;
    QListWidget* m_classes = nullptr;
    SourceView* m_source = nullptr;
    QPushButton* m_copyClass = nullptr;
    QPushButton* m_copyAll = nullptr;
    QSpinBox* m_seed = nullptr;
    QCheckBox* m_weights = nullptr;
    QCheckBox* m_gradients = nullptr;
    QLabel* m_plannedText = nullptr;
    QProgressBar* m_busy = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_checked = nullptr;
    QLabel* m_age = nullptr;
    QPushButton* m_export = nullptr;
};

} // namespace flopsmith::ui
