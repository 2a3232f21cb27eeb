// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/file_size_limit.h"
#include "tests/ui/document/scenarios.h"
#include "tests/ui/waiting.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/journal/document_journal.h"
#include "ui/document/journal/unsaved_work.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;
using test::whole;

class JournalTest : public testing::Test
{
protected:
    JournalTest()
        : folder(QFile::encodeName(top.filePath(QStringLiteral("state/journal"))).toStdString())
        , journal(std::make_unique<DocumentJournal>(document, folder))
    {}

    void setBins(int bins)
    {
        setParameter(document, parameter(document, "k_freq"), std::int64_t{bins});
    }

    bool isThere() const
    {
        return std::filesystem::exists(folder) && !std::filesystem::is_empty(folder);
    }

    // What the next start finds after this window has ended without closing.
    std::vector<AbandonedJournal> afterCrash()
    {
        journal.reset();
        return unsavedWork(folder);
    }

    QTemporaryDir top;
    std::filesystem::path folder;
    Document document{halfSwapped()};
    std::unique_ptr<DocumentJournal> journal;
};

TEST_F(JournalTest, HasEveryStepAfterACrash)
{
    setBins(31);
    setBins(30);
    setBins(29);

    const std::vector<AbandonedJournal> found = afterCrash();

    ASSERT_EQ(found.size(), 1U);
    const JournalHistory& history = *found.front().history;
    EXPECT_EQ(history.entries.size(), 4U);
    EXPECT_EQ(history.entries.front().project.scenario, halfSwapped());
    EXPECT_EQ(history.last().project.scenario, document.scenario());
    EXPECT_EQ(history.unsavedSteps(), 3);
}

TEST_F(JournalTest, IsWrittenWithoutBeingFlushed)
{
    setBins(31);

    ASSERT_SOON(isThere());
}

TEST_F(JournalTest, OfADragHasItsEndAlone)
{
    document.history().beginGesture();
    for (int bins = 60; bins > 31; --bins) {
        setBins(bins);
    }
    document.history().endGesture();

    const std::vector<AbandonedJournal> found = afterCrash();

    EXPECT_EQ(found.front().history->entries.size(), 2U);
    EXPECT_EQ(found.front().history->last().project.scenario, document.scenario());
}

TEST_F(JournalTest, IsGoneWhileNothingIsUnsaved)
{
    setBins(31);
    ASSERT_TRUE(journal->flush());
    EXPECT_TRUE(isThere());

    document.undoStack().undo();

    journal->flush();
    EXPECT_FALSE(isThere());
}

TEST_F(JournalTest, EndsWithSavingAndBeginsAnew)
{
    setBins(31);
    journal->flush();
    ASSERT_TRUE(document.file().saveAs(top.filePath(QStringLiteral("m.flopsmith"))).ok());
    journal->flush();
    EXPECT_FALSE(isThere());

    setBins(30);

    const std::vector<AbandonedJournal> found = afterCrash();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().history->unsavedSteps(), 1);
    EXPECT_EQ(found.front().history->last().file,
              top.filePath(QStringLiteral("m.flopsmith")).toStdString());
}

TEST_F(JournalTest, OfWorkThatWasSavedAfterAllIsNotOffered)
{
    setBins(31);
    journal->flush();
    const QString path = top.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    setBins(30);
    journal->flush();
    Document other(halfSwapped());
    setParameter(other, parameter(other, "k_freq"), std::int64_t{30});
    ASSERT_TRUE(other.file().saveAs(path).ok()); // the crash came before the journal was removed

    EXPECT_TRUE(afterCrash().empty());
    EXPECT_FALSE(isThere());
}

TEST_F(JournalTest, LeavesNothingWhenTheWindowCloses)
{
    setBins(31);
    journal->close();

    EXPECT_TRUE(afterCrash().empty());
}

TEST_F(JournalTest, RestoresTheDocumentWithItsHistoryAsModified)
{
    const QString path = top.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    setBins(31);
    setBins(30);
    document.setLens(LensId::mac);
    setBins(29);
    document.undoStack().undo();
    const std::vector<AbandonedJournal> found = afterCrash();
    Document restored(Scenario{.model = *presetNamed("tiny")});

    restoreFrom(*found.front().history, restored);

    EXPECT_EQ(restored.scenario(), document.scenario());
    EXPECT_EQ(restored.lens(), LensId::mac);
    EXPECT_EQ(restored.file().path(), path);
    EXPECT_TRUE(restored.isModified());
    EXPECT_EQ(restored.file().onDisk(), DocumentFile::OnDisk::asLeft);
    EXPECT_EQ(restored.undoStack().undoText(), document.undoStack().undoText());
    restored.undoStack().undo();
    EXPECT_EQ(whole(restored, "k_freq"), 31);
    restored.undoStack().undo();
    EXPECT_EQ(restored.scenario(), halfSwapped());
    EXPECT_FALSE(restored.isModified());
}

TEST_F(JournalTest, RestoredWorkIsInTheNewWindowsJournal)
{
    setBins(31);
    std::vector<AbandonedJournal> found = afterCrash();
    Document restored(Scenario{.model = *presetNamed("tiny")});
    auto next = std::make_unique<DocumentJournal>(restored, folder);

    restoreFrom(*found.front().history, restored);
    ASSERT_TRUE(next->flush());
    found.front().file.remove();
    next.reset();

    const std::vector<AbandonedJournal> again = unsavedWork(folder);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again.front().history->last().project.scenario, document.scenario());
    EXPECT_EQ(again.front().history->unsavedSteps(), 1);
}

TEST_F(JournalTest, SaysOnceThatItCannotBeWrittenAndTriesAgain)
{
    QSignalSpy failed(journal.get(), &DocumentJournal::failed);
    {
        const flopsmith::test::FileSizeLimit full(10);
        setBins(31);
        EXPECT_FALSE(journal->flush());
        setBins(30);
        EXPECT_FALSE(journal->flush());
        QCoreApplication::processEvents();
    }
    EXPECT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed.front().front().toString().contains(QLatin1String("cannot be written")));

    setBins(29);

    EXPECT_TRUE(journal->flush());
    EXPECT_EQ(afterCrash().front().history->entries.size(), 4U);
}

TEST_F(JournalTest, IsMadeAgainWhenSomebodyRemovesIt)
{
    setBins(31);
    journal->flush();
    std::filesystem::remove_all(folder);

    setBins(30);

    const std::vector<AbandonedJournal> found = afterCrash();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().history->last().project.scenario, document.scenario());
}

TEST_F(JournalTest, StaysSmallOverThousandsOfSteps)
{
    for (int i = 0; i < 3000; ++i) {
        setBins(20 + i % 40);
        if (i % 50 == 0) {
            journal->flush();
        }
    }

    const std::vector<AbandonedJournal> found = afterCrash();

    EXPECT_LT(found.front().file.size(), kLargestJournal + (1U << 20U));
    EXPECT_GT(found.front().history->entries.size(), 10U);
    EXPECT_EQ(found.front().history->last().project.scenario, document.scenario());
}

TEST_F(JournalTest, IsOfferedInASentence)
{
    setBins(31);
    setBins(30);
    const std::vector<AbandonedJournal> found = afterCrash();
    const auto time = QDateTime::fromSecsSinceEpoch(found.front().written);

    const QString today = sentenceOf(found.front(), time.addSecs(1));
    const QString later = sentenceOf(found.front(), time.addDays(2));

    EXPECT_EQ(today.toStdString(),
              "Flopsmith did not close properly at " + time.toString("HH:mm").toStdString()
                  + ". Unsaved work on GPT-2 small, half swapped: 2 steps, the last “"
                  + document.undoStack().undoText().toStdString() + " to 30”.");
    EXPECT_TRUE(later.contains(time.date().toString(Qt::ISODate))) << qPrintable(later);
}

} // namespace
} // namespace flopsmith::ui
