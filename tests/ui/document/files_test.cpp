// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/file_size_limit.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/document.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/recent_files.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;

class FilesTest : public testing::Test
{
protected:
    FilesTest()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("flopsmith-test"));
        QCoreApplication::setApplicationName(QStringLiteral("files"));
        clearRecentFiles();
    }

    QString file(const QString& name, const QByteArray& text)
    {
        const QString path = folder.filePath(name);
        QFile out(path);
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(text);
        return path;
    }

    static QByteArray contents(const QString& path)
    {
        QFile in(path);
        EXPECT_TRUE(in.open(QIODevice::ReadOnly));
        return in.readAll();
    }

    QTemporaryDir folder;
    Document document{halfSwapped()};
};

TEST_F(FilesTest, OpeningWhatWasSavedGivesTheSameScenario)
{
    const QString path = folder.filePath(QStringLiteral("a model.flopsmith"));
    setParameter(document, parameter(document, "k_freq"), std::int64_t{31});
    document.setLens(LensId::mac);
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const Scenario saved = document.scenario();
    EXPECT_FALSE(document.isModified());

    Document other(Scenario{.model = *presetNamed("tiny")});
    ASSERT_TRUE(other.file().open(path).ok());

    EXPECT_EQ(other.scenario(), saved);
    EXPECT_EQ(other.lens(), LensId::mac);
    EXPECT_EQ(other.file().path(), path);
    EXPECT_FALSE(other.isModified());
}

// The text of the document's file with a key that this version does not know in two places.
QByteArray withUnknownKeys(QByteArray text)
{
    text.insert(text.indexOf("\"model\""), "\"colour\": \"red\",\n  ");
    return text.insert(text.indexOf("\"repeat\""), "\"tint\": 1,\n        ");
}

TEST_F(FilesTest, UnknownKeysAreSaidAndWrittenBack)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray text = withUnknownKeys(contents(path));

    const Result<QStringList> notes =
        document.file().open(file(QStringLiteral("m.flopsmith"), text));
    ASSERT_TRUE(notes.ok()) << notes.error().message;
    ASSERT_TRUE(document.file().save().ok());

    EXPECT_EQ(notes->size(), 2);
    EXPECT_EQ(contents(path), text);
}

TEST_F(FilesTest, UnknownKeysOfARemovedRunComeBackWithIt)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray text = withUnknownKeys(contents(path));
    ASSERT_TRUE(document.file().open(file(QStringLiteral("m.flopsmith"), text)).ok());

    document.apply(QStringLiteral("Delete"),
                   [](DocumentState& state) { removeRuns(state.scenario, {0}); });
    ASSERT_TRUE(document.file().save().ok());
    EXPECT_FALSE(contents(path).contains("tint"));
    EXPECT_TRUE(contents(path).contains("colour"));

    document.undoStack().undo();
    ASSERT_TRUE(document.file().save().ok());
    EXPECT_EQ(contents(path), text);
}

TEST_F(FilesTest, AReloadTakesTheUnknownKeysOfTheFile)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray text = withUnknownKeys(contents(path));
    file(QStringLiteral("m.flopsmith"), text);

    ASSERT_TRUE(document.file().reload().ok());
    ASSERT_TRUE(document.file().save().ok());

    EXPECT_EQ(contents(path), text);
}

TEST_F(FilesTest, AReloadOfUnknownKeysAloneIsUndone)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray before = contents(path);
    file(QStringLiteral("m.flopsmith"), withUnknownKeys(before));
    ASSERT_TRUE(document.file().reload().ok());
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_FALSE(document.isModified());

    document.undoStack().undo();
    EXPECT_TRUE(document.isModified());
    ASSERT_TRUE(document.file().save().ok());
    EXPECT_EQ(contents(path), before);

    ASSERT_TRUE(document.file().reload().ok()); // the same file again
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(FilesTest, ANewModelHasNoUnknownKeysOfTheOld)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray text = withUnknownKeys(contents(path));
    ASSERT_TRUE(document.file().open(file(QStringLiteral("m.flopsmith"), text)).ok());

    replaceModel(document, *presetNamed("gpt2"));
    ASSERT_TRUE(document.file().save().ok());

    EXPECT_FALSE(contents(path).contains("tint"));
    EXPECT_TRUE(contents(path).contains("colour"));
}

TEST_F(FilesTest, AFailedOpenLeavesTheDocument)
{
    setParameter(document, parameter(document, "k_freq"), std::int64_t{31});
    const Scenario before = document.scenario();
    const QSignalSpy changed(&document, &Document::scenarioChanged);

    for (const QString& path :
         {folder.filePath(QStringLiteral("missing.flopsmith")),
          file(QStringLiteral("broken.flopsmith"), "{\"flopsmith\": 1, \"model\": "),
          file(QStringLiteral("other.json"), "{\"model_type\": \"unheard_of\"}"),
          file(QStringLiteral("newer.flopsmith"), "{\"flopsmith\": 999, \"model\": {}}")}) {
        const Result<QStringList> opened = document.file().open(path);

        ASSERT_FALSE(opened.ok()) << qPrintable(path);
        EXPECT_FALSE(opened.error().message.empty());
    }
    EXPECT_EQ(document.scenario(), before);
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_EQ(changed.count(), 0);
}

TEST_F(FilesTest, SavingWhereNothingCanBeWrittenSaysSo)
{
    const Status saved =
        document.file().saveAs(folder.filePath(QStringLiteral("no/such/folder.flopsmith")));

    ASSERT_FALSE(saved.ok());
    EXPECT_NE(saved.error().message.find("folder.flopsmith"), std::string::npos);
    EXPECT_TRUE(document.file().path().isEmpty());
}

TEST_F(FilesTest, AFileThatCannotBeWrittenToItsEndIsLeftAsItWas)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    const QByteArray before = contents(path);
    setParameter(document, parameter(document, "k_freq"), std::int64_t{31});

    for (const int limit : {0, 1, 1000}) {
        const flopsmith::test::FileSizeLimit full(static_cast<rlim_t>(limit));
        const Status saved = document.file().save();

        ASSERT_FALSE(saved.ok()) << limit;
        EXPECT_NE(saved.error().message.find("cannot be written"), std::string::npos);
        EXPECT_TRUE(document.isModified());
    }
    EXPECT_EQ(contents(path), before);
    EXPECT_EQ(QDir(folder.path()).entryList({QStringLiteral("*.tmp")}), QStringList());
    EXPECT_TRUE(document.file().save().ok());
    EXPECT_NE(contents(path), before);
}

TEST_F(FilesTest, ALinkToADeviceIsNotReplaced)
{
    const QString link = folder.filePath(QStringLiteral("full.flopsmith"));
    ASSERT_TRUE(QFile::link(QStringLiteral("/dev/full"), link));

    EXPECT_FALSE(document.file().saveAs(link).ok());

    EXPECT_TRUE(QFileInfo(link).isSymLink());
    EXPECT_FALSE(QFileInfo(QStringLiteral("/dev/full")).isFile());
}

TEST_F(FilesTest, UndoingASavedChangeIsAModification)
{
    setParameter(document, parameter(document, "k_freq"), std::int64_t{31});
    ASSERT_TRUE(document.file().saveAs(folder.filePath(QStringLiteral("m.flopsmith"))).ok());
    const QSignalSpy fileChanged(&document, &Document::fileChanged);

    document.undoStack().undo();

    EXPECT_TRUE(document.isModified());
    EXPECT_EQ(fileChanged.count(), 1);
}

TEST_F(FilesTest, RecentFilesAreUniqueAndNewestFirst)
{
    addRecentFile(folder.filePath(QStringLiteral("a")));
    addRecentFile(folder.filePath(QStringLiteral("b")));
    addRecentFile(folder.filePath(QStringLiteral("a")));

    EXPECT_EQ(
        recentFiles(),
        (QStringList{folder.filePath(QStringLiteral("a")), folder.filePath(QStringLiteral("b"))}));
}

TEST_F(FilesTest, RecentFilesAreLimited)
{
    for (int i = 0; i < 2 * kMaxRecent; ++i) {
        addRecentFile(folder.filePath(QString::number(i)));
    }

    EXPECT_EQ(recentFiles().size(), kMaxRecent);
}

} // namespace
} // namespace flopsmith::ui
