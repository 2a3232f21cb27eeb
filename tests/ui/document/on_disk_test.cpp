// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/journal/open_file_mark.h"
#include "tests/ui/document/scenarios.h"
#include "tests/ui/waiting.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/file_watch.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;
using OnDisk = DocumentFile::OnDisk;

class OnDiskTest : public testing::Test
{
protected:
    OnDiskTest()
        : path(folder.filePath(QStringLiteral("m.flopsmith")))
    {
        EXPECT_TRUE(document.file().saveAs(path).ok());
    }

    // Somebody else's version, by the same way that every Flopsmith saves.
    void changeElsewhere(int bins)
    {
        Document other(halfSwapped());
        setParameter(other, parameter(other, "k_freq"), std::int64_t{bins});
        ASSERT_TRUE(other.file().saveAs(path).ok());
    }

    void changeInPlace(const QByteArray& text)
    {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir folder;
    QString path;
    Document document{halfSwapped()};
};

TEST_F(OnDiskTest, WhatTheDocumentWroteOrReadItselfIsAsLeft)
{
    EXPECT_EQ(document.file().onDisk(), OnDisk::asLeft);
    Document other(halfSwapped());
    ASSERT_TRUE(other.file().open(path).ok());
    EXPECT_EQ(other.file().onDisk(), OnDisk::asLeft);
    EXPECT_EQ(Document(halfSwapped()).file().onDisk(), OnDisk::asLeft);
}

TEST_F(OnDiskTest, TheSameContentWrittenAgainIsNoChange)
{
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();

    changeInPlace(text);

    EXPECT_EQ(document.file().onDisk(), OnDisk::asLeft);
}

TEST_F(OnDiskTest, AnotherContentIsAChangeAndNoFileARemoval)
{
    changeElsewhere(31);
    EXPECT_EQ(document.file().onDisk(), OnDisk::changed);

    ASSERT_TRUE(document.file().save().ok());
    EXPECT_EQ(document.file().onDisk(), OnDisk::asLeft);

    QFile::remove(path);
    EXPECT_EQ(document.file().onDisk(), OnDisk::removed);
}

TEST_F(OnDiskTest, ReloadingIsAStepThatCanBeUndone)
{
    setParameter(document, parameter(document, "k_freq"), std::int64_t{30});
    const Scenario mine = document.scenario();
    changeElsewhere(31);

    ASSERT_TRUE(document.file().reload().ok());

    EXPECT_EQ(test::whole(document, "k_freq"), 31);
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(document.file().onDisk(), OnDisk::asLeft);
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), mine);
    EXPECT_TRUE(document.isModified());
}

TEST_F(OnDiskTest, ReloadingABrokenFileLeavesTheDocument)
{
    changeInPlace("{\"flopsmith\": 1,");

    EXPECT_FALSE(document.file().reload().ok());

    EXPECT_EQ(document.scenario(), halfSwapped());
    EXPECT_EQ(document.file().onDisk(), OnDisk::changed);
}

TEST_F(OnDiskTest, TheWatchNoticesEveryKindOfChangeByItself)
{
    FileWatch watch(document);
    watch.check();

    changeElsewhere(31); // replaced
    ASSERT_SOON(watch.state() == OnDisk::changed);
    ASSERT_TRUE(document.file().save().ok());
    ASSERT_SOON(watch.state() == OnDisk::asLeft);
    changeInPlace("something else");
    ASSERT_SOON(watch.state() == OnDisk::changed);
    QFile::remove(path);
    ASSERT_SOON(watch.state() == OnDisk::removed);
    ASSERT_TRUE(document.file().save().ok());
    ASSERT_SOON(watch.state() == OnDisk::asLeft);
    changeInPlace("the last");
    ASSERT_SOON(watch.state() == OnDisk::changed);
}

TEST_F(OnDiskTest, TheWatchFollowsTheDocumentToAnotherFile)
{
    FileWatch watch(document);
    watch.check();
    const QString second = folder.filePath(QStringLiteral("second.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(second).ok());

    QFile::remove(path);
    watch.check();

    EXPECT_EQ(watch.state(), OnDisk::asLeft);
    QFile::remove(second);
    ASSERT_SOON(watch.state() == OnDisk::removed);
}

TEST_F(OnDiskTest, AMarkTellsOfAFileThatIsOpenElsewhereByAnyOfItsNames)
{
    const std::filesystem::path marks = folder.filePath(QStringLiteral("open")).toStdString();
    const std::filesystem::path file = path.toStdString();
    const QString link = folder.filePath(QStringLiteral("link.flopsmith"));
    ASSERT_TRUE(QFile::link(path, link));

    auto first = std::make_unique<OpenFileMark>(marks, file);
    const OpenFileMark second(marks, link.toStdString());
    EXPECT_FALSE(first->wasOpenElsewhere());
    EXPECT_TRUE(second.wasOpenElsewhere());
    first.reset();
    const OpenFileMark third(marks, file); // the second still has it open
    EXPECT_TRUE(third.wasOpenElsewhere());
    EXPECT_FALSE(OpenFileMark(marks, "/another/file").wasOpenElsewhere());
}

TEST_F(OnDiskTest, TheLastMarkLeavesNothing)
{
    const std::filesystem::path marks = folder.filePath(QStringLiteral("open")).toStdString();
    {
        const OpenFileMark mark(marks, path.toStdString());
        EXPECT_FALSE(std::filesystem::is_empty(marks));
    }
    EXPECT_TRUE(std::filesystem::is_empty(marks));
    EXPECT_FALSE(OpenFileMark("/proc/nowhere", path.toStdString()).wasOpenElsewhere());
}

} // namespace
} // namespace flopsmith::ui
