// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "tests/support/file_size_limit.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/recent_files.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/files/question_bars.h"

#include <QAction>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <filesystem>

namespace flopsmith::ui {
namespace {

const QString kChanged = QStringLiteral("fileChanged");
const QString kUnsaved = QStringLiteral("unsavedWork");

class WindowFilesTest : public test::WindowTest
{
protected:
    WindowFilesTest()
        : path(folder.filePath(QStringLiteral("m.flopsmith")))
        , journals(folder.filePath(QStringLiteral("state/journal")).toStdString())
    {
        clearRecentFiles();
    }

    static void setBins(Document& document, int bins)
    {
        const Parameter bin = matchingParameters(document.scenario(), "k_freq").front();
        setParameter(document, bin, std::int64_t{bins});
    }

    static std::int64_t bins(const Document& document)
    {
        const Parameter bin = matchingParameters(document.scenario(), "k_freq").front();
        return std::get<std::int64_t>(bin.value(document.scenario()));
    }

    std::int64_t binsInFile() const
    {
        Document document({.model = presets().front().make()});
        EXPECT_TRUE(document.file().open(path).ok());
        return bins(document);
    }

    void changeElsewhere(int value)
    {
        Document other({.model = presets().front().make()});
        setBins(other, value);
        ASSERT_TRUE(other.file().saveAs(path).ok());
    }

    void startNew() { child<QAction>("file.new").trigger(); }

    void openSaved()
    {
        ASSERT_TRUE(window->document().file().saveAs(path).ok());
        ASSERT_TRUE(window->openFile(path));
    }

    void answer(const char* button) { child<QPushButton>(button).click(); }
    void save() { child<QAction>("file.save").trigger(); }
    QString question(const QString& name) const { return window->questions().sentence(name); }

    // A window of a program that ended without closing it, and the next start.
    void crashAndStart()
    {
        window.reset();
        start();
    }

    void start()
    {
        open();
        window->saving().keepJournal(journals);
        window->saving().offerUnsavedWork();
    }

    QString path;
    std::filesystem::path journals;
};

TEST_F(WindowFilesTest, AFullDiskKeepsTheFileAndTheMarkAndSaysSo)
{
    openSaved();
    setBins(window->document(), 31);
    {
        const flopsmith::test::FileSizeLimit full(100);
        save();
    }

    EXPECT_EQ(binsInFile(), 64);
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("cannot be written")));
}

TEST_F(WindowFilesTest, NewStartsWithOneBlockWithoutFileAndHistory)
{
    openSaved();
    startNew();

    EXPECT_EQ(window->document().model(), newModel());
    EXPECT_TRUE(window->document().file().path().isEmpty());
    EXPECT_FALSE(window->document().isModified());
    EXPECT_EQ(window->document().undoStack().count(), 0);
    EXPECT_TRUE(window->windowTitle().contains(QLatin1String("untitled")));
}

TEST_F(WindowFilesTest, TextOfAProjectOrAConfigIsOpenedAndOtherTextSaysWhyNot)
{
    renameModel(window->document(), QStringLiteral("pasted"));
    openSaved();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString project = QString::fromUtf8(file.readAll());
    const Scenario saved = window->document().scenario();
    startNew();

    const Result<bool> opened = window->files().openText(project);
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE(*opened);
    EXPECT_EQ(window->document().scenario(), saved);
    EXPECT_TRUE(window->document().file().path().isEmpty()); // a paste belongs to no file

    const QString config = QStringLiteral(
        R"({"model_type": "gpt2", "vocab_size": 100, "n_embd": 64, "n_layer": 3, "n_head": 4})");
    ASSERT_TRUE(window->files().openText(config).ok());
    EXPECT_EQ(window->document().model().layers(), 3);

    for (const char* text : {"", "a note", "{}", "[1, 2]"}) {
        const Result<bool> refused = window->files().openText(QLatin1String(text));
        ASSERT_FALSE(refused.ok()) << text;
        EXPECT_NE(refused.error().message.find("clipboard"), std::string::npos) << text;
        EXPECT_EQ(window->document().model().layers(), 3);
    }
}

TEST_F(WindowFilesTest, AChangedFileIsNotOverwrittenWithoutAnAnswer)
{
    openSaved();
    setBins(window->document(), 31);
    changeElsewhere(20);

    save();

    EXPECT_EQ(binsInFile(), 20);
    EXPECT_TRUE(question(kChanged).contains(QLatin1String("m.flopsmith was changed on disk")));
    EXPECT_TRUE(window->isWindowModified());

    answer("question.fileChanged.save");
    EXPECT_EQ(binsInFile(), 31);
    EXPECT_EQ(question(kChanged), QString());
    EXPECT_FALSE(window->isWindowModified());
}

TEST_F(WindowFilesTest, AChangeIsToldByItselfAndMarksTheWindow)
{
    openSaved();

    changeElsewhere(20);

    ASSERT_SOON(!question(kChanged).isEmpty());
    EXPECT_TRUE(window->isWindowModified()); // what it shows is in no file
    answer("question.fileChanged.reload");
    EXPECT_EQ(bins(window->document()), 20);
    EXPECT_FALSE(window->isWindowModified());
}

TEST_F(WindowFilesTest, ARemovedFileIsToldAndCanBeSavedAgain)
{
    openSaved();

    QFile::remove(path);

    ASSERT_SOON(question(kChanged).contains(QLatin1String("no longer on the disk")));
    EXPECT_TRUE(window->isWindowModified());
    answer("question.fileChanged.save");
    EXPECT_EQ(binsInFile(), 64);
    EXPECT_EQ(question(kChanged), QString());
}

TEST_F(WindowFilesTest, ASecondWindowOnAFileSaysSoAndTheFirstIsAskedBeforeItOverwrites)
{
    window->saving().keepJournal(journals);
    openSaved();
    EXPECT_FALSE(window->messages().isVisible());
    const std::unique_ptr<test::TestedWindow> first = std::move(window);
    start();

    EXPECT_TRUE(window->openFile(path));

    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("open in another window")));
    setBins(window->document(), 31);
    save();
    EXPECT_EQ(binsInFile(), 31);
    setBins(first->document(), 20);
    first->findChild<QAction*>(QStringLiteral("file.save"))->trigger();
    EXPECT_EQ(binsInFile(), 31);
    EXPECT_FALSE(first->questions().sentence(kChanged).isEmpty());
}

TEST_F(WindowFilesTest, UnsavedWorkIsOfferedAfterACrashAndRestoredAsModified)
{
    start();
    EXPECT_EQ(question(kUnsaved), QString());
    openSaved();
    setBins(window->document(), 31);
    setBins(window->document(), 30);

    crashAndStart();

    EXPECT_TRUE(question(kUnsaved).contains(QLatin1String("m.flopsmith: 2 steps")))
        << qPrintable(question(kUnsaved));
    EXPECT_EQ(bins(window->document()), 64);
    answer("question.unsavedWork.restore");
    EXPECT_EQ(bins(window->document()), 30);
    EXPECT_EQ(window->document().file().path(), path);
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_EQ(question(kUnsaved), QString());
    EXPECT_EQ(binsInFile(), 64);

    crashAndStart(); // restored, and lost once more
    EXPECT_FALSE(question(kUnsaved).isEmpty());
}

TEST_F(WindowFilesTest, RestoredWorkDoesNotOverwriteWhatTheFileBecameMeanwhile)
{
    start();
    openSaved();
    setBins(window->document(), 31);
    window.reset();
    changeElsewhere(20);
    start();

    answer("question.unsavedWork.restore");
    save();

    EXPECT_EQ(binsInFile(), 20);
    EXPECT_FALSE(question(kChanged).isEmpty());
}

TEST_F(WindowFilesTest, SeveralCrashesAreOfferedOneAfterAnother)
{
    for (const int value : {31, 30, 29}) {
        start();
        setBins(window->document(), value);
        window.reset();
    }
    start();

    EXPECT_TRUE(question(kUnsaved).contains(QLatin1String("2 more")));
    answer("question.unsavedWork.later");
    EXPECT_TRUE(question(kUnsaved).contains(QLatin1String("1 more")));
    answer("question.unsavedWork.discard");
    EXPECT_FALSE(question(kUnsaved).contains(QLatin1String("more")));
    answer("question.unsavedWork.restore");
    EXPECT_EQ(question(kUnsaved), QString());

    window->document().undoStack().undo(); // nothing is unsaved in this window
    crashAndStart();
    EXPECT_FALSE(question(kUnsaved).isEmpty()); // the one for later
    answer("question.unsavedWork.discard");
    EXPECT_EQ(question(kUnsaved), QString());
}

TEST_F(WindowFilesTest, ClosingAsksByNameAndGivingUpLeavesNoJournal)
{
    start();
    openSaved();
    setBins(window->document(), 31);
    window->saving().flushJournal();
    QString text;
    QTimer::singleShot(0, window.get(), [this, &text] {
        auto& box = child<QMessageBox>("unsavedChanges");
        text = box.text() + box.informativeText();
        EXPECT_TRUE(box.button(QMessageBox::Discard)->icon().isNull());
        box.button(QMessageBox::Discard)->click();
    });

    EXPECT_TRUE(window->close());

    EXPECT_TRUE(text.contains(QLatin1String("m.flopsmith"))) << qPrintable(text);
    EXPECT_TRUE(text.contains(window->document().undoStack().undoText())) << qPrintable(text);
    EXPECT_TRUE(std::filesystem::is_empty(journals));
}

TEST_F(WindowFilesTest, WithoutAPlaceForAJournalOneCalmLineSaysSo)
{
    QFile file(folder.filePath(QStringLiteral("state")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly)); // where the folder should be
    window->saving().keepJournal(journals);
    EXPECT_FALSE(window->messages().isVisible());

    setBins(window->document(), 31);
    window->saving().flushJournal();

    ASSERT_SOON(window->messages().sentence().contains(QLatin1String("No journal")));
    EXPECT_FALSE(window->messages().sentence().contains(QLatin1String("Error")));
}

TEST_F(WindowFilesTest, TheLastFileCanBeOpenedAgain)
{
    window->files().openLast();
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("No file")));
    openSaved();
    open();
    EXPECT_EQ(window->document().file().path(), QString());

    window->files().openLast();

    EXPECT_EQ(window->document().file().path(), path);
    child<QAction>("file.openLast").setChecked(true);
    open();
    EXPECT_TRUE(child<QAction>("file.openLast").isChecked());
    EXPECT_TRUE(storedOpenLast());
}

} // namespace
} // namespace flopsmith::ui
