// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/measurement_store.h"

#include "core/protocol/measuring/settling.h"
#include "core/protocol/wire/wire.h"
#include "core/store/schema.h"
#include "core/store/signature.h"
#include "tests/core/store/store_fixture.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <map>
#include <thread>

namespace flopsmith {
namespace {

using test::kDevice;
using test::questionAbout;
using test::resultAt;
using test::someDescribed;
using testing::HasSubstr;

class MeasurementStoreTest : public test::StoreTest
{
protected:
    void write(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }

    void expectRefusal(const std::string& reason) const
    {
        const std::string before = bytes(file);
        const auto store = MeasurementStore::open(file);
        ASSERT_FALSE(store.ok());
        EXPECT_THAT(store.error().message, HasSubstr(reason));
        EXPECT_THAT(store.error().message, HasSubstr(file.string()));
        const auto existing = MeasurementStore::openExisting(file);
        ASSERT_FALSE(existing.ok());
        EXPECT_THAT(existing.error().message, HasSubstr(reason));
        EXPECT_EQ(bytes(file), before);
    }

    // The tables of version 1, as its program made them, with one result.
    void writeFirstVersion(const StoredResult& result) const
    {
        auto database = sqlite::Database::open(file, sqlite::OpenMode::create);
        ASSERT_TRUE(database.ok());
        for (const char* sql :
             {"CREATE TABLE machines (id INTEGER PRIMARY KEY, origin TEXT NOT NULL, device TEXT NOT"
              " NULL, kind TEXT NOT NULL, signature TEXT NOT NULL, described TEXT NOT NULL, seen"
              " INTEGER NOT NULL, UNIQUE (origin, device, kind, signature))",
              "CREATE TABLE results (id INTEGER PRIMARY KEY, machine INTEGER NOT NULL REFERENCES"
              " machines (id) ON DELETE CASCADE, question TEXT NOT NULL, answer TEXT NOT NULL, "
              "taken"
              " INTEGER NOT NULL, UNIQUE (machine, question))",
              "PRAGMA application_id = 1181511536",
              "PRAGMA user_version = 1"}) {
            ASSERT_TRUE(database->run(sql).ok()) << sql;
        }
        const Described described = someDescribed();
        ASSERT_TRUE(database
                        ->run("INSERT INTO machines VALUES (1, '', ?, ?, ?, ?, 5)",
                              {described.device,
                               described.kind,
                               machineSignature(described),
                               lineOf(Answer(described))})
                        .ok());
        ASSERT_TRUE(
            database
                ->run(
                    "INSERT INTO results VALUES (1, 1, ?, ?, ?)",
                    {questionText(result.question), lineOf(Answer(result.measured)), result.taken})
                .ok());
    }
};

TEST_F(MeasurementStoreTest, WhatIsKeptIsFoundAgainByAnotherConnection)
{
    const auto results = test::randomResults(1, 60);
    std::map<std::string, StoredResult> last;
    {
        MeasurementStore store = open();
        for (const StoredResult& result : results) {
            const auto stands = store.keep(someDescribed(), result);
            ASSERT_TRUE(stands.ok());
            StoredResult& kept = last[questionText(result.question)];
            if (result.measured.settled || !kept.measured.settled) {
                kept = {result.question, repeated(kept.measured, result.measured), result.taken};
            }
            EXPECT_EQ(*stands, kept);
        }
    }

    MeasurementStore store = open();
    const auto machine = store.seen(kDevice, someDescribed(), 1);
    ASSERT_TRUE(machine.ok());
    for (const auto& [text, result] : last) {
        const auto found = store.find(*machine, result.question);
        ASSERT_TRUE(found.ok());
        ASSERT_TRUE(found->has_value()) << text;
        EXPECT_EQ(**found, result) << text;
    }
    const auto listed = store.list();
    ASSERT_EQ(listed->size(), 1U);
    EXPECT_EQ(listed->front().results.size(), last.size());
}

TEST_F(MeasurementStoreTest, ALaterResultTakesThePlaceOfTheEarlierOne)
{
    MeasurementStore store = open();
    StoredResult result = resultAt(questionAbout(64), 100);
    ASSERT_TRUE(store.keep(someDescribed(), result).ok());
    const double first = result.measured.medianSeconds;
    result.taken = 200;
    result.measured.medianSeconds *= 2;
    ASSERT_TRUE(store.keep(someDescribed(), result).ok());
    result.measured.medians = {first, 2 * first};

    const auto listed = store.list();

    ASSERT_EQ(listed->front().results.size(), 1U);
    EXPECT_EQ(listed->front().results.front(), result);
}

TEST_F(MeasurementStoreTest, EveryPartOfAQuestionMakesItAnother)
{
    MeasurementStore store = open();
    const MeasureRequest question = questionAbout(64);
    ASSERT_TRUE(store.keep(someDescribed(), resultAt(question, 1)).ok());
    const auto machine = store.seen(kDevice, someDescribed(), 1);

    std::vector<MeasureRequest> others(7, question);
    others[0].operation = questionAbout(65).operation;
    others[1].operation.pass = ComputePass::backward;
    others[2].operation.batch += 1;
    others[3].operation.context += 1;
    others[4].threads = 1;
    others[5].cache = CacheState::cold;
    others[6].precision = ComputePrecision::bfloat16;
    for (const MeasureRequest& other : others) {
        EXPECT_FALSE(store.find(*machine, other)->has_value()) << questionText(other);
    }
    MeasureRequest same = question;
    same.id = 9;
    same.budgetSeconds = 77;
    EXPECT_TRUE(store.find(*machine, same)->has_value());
}

// Everything that a device says of itself and that may change a run time.
std::vector<Described> changedMachines()
{
    std::vector<Described> changed(9, someDescribed());
    changed[0].program = "flopsmith-bench 0.2.0";
    changed[1].libraries[0].version = "3.3.11";
    changed[2].libraries.push_back({"NVIDIA driver", "550.54"});
    changed[3].libraries.pop_back();
    changed[4].environment.build = "ffff";
    changed[5].environment.kernel = "Linux 7.0";
    changed[6].environment.compiler = "GCC 99";
    changed[7].environment.instructionSets.pop_back();
    changed[8].environment.usableCores += 1;
    return changed;
}

TEST_F(MeasurementStoreTest, EveryPartOfTheMachineOutdatesAResultAndGoingBackRevivesIt)
{
    MeasurementStore store = open();
    const MeasureRequest question = questionAbout(64);
    ASSERT_TRUE(store.keep(someDescribed(), resultAt(question, 100)).ok());
    UnixSeconds now = 100; // a clock that stands still
    for (const Described& changed : changedMachines()) {
        const auto machine = store.seen(kDevice, changed, now);
        ASSERT_TRUE(machine.ok());
        EXPECT_FALSE(store.find(*machine, question)->has_value()) << machineSignature(changed);
        const auto outdated = store.list({.age = ResultSelection::Age::outdated});
        ASSERT_EQ(outdated->size(), 1U) << machineSignature(changed);
        EXPECT_TRUE(outdated->front().machine.outdated);
        EXPECT_TRUE(store.list({.age = ResultSelection::Age::current})->empty());
        EXPECT_EQ(store.machineOf(kDevice)->value().described, changed);

        const auto back = store.seen(kDevice, someDescribed(), now);
        EXPECT_TRUE(store.find(*back, question)->has_value());
        EXPECT_EQ(store.list({.age = ResultSelection::Age::current})->size(), 1U);
    }
}

TEST_F(MeasurementStoreTest, LoadAndFreeMemoryOutdateNothing)
{
    MeasurementStore store = open();
    ASSERT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(64), 1)).ok());
    Described busy = someDescribed();
    busy.id = 12;
    busy.environment.loadAverage = 17.0;
    busy.environment.availableBytes = 5;

    const auto machine = store.seen(kDevice, busy, 2);

    EXPECT_TRUE(store.find(*machine, questionAbout(64))->has_value());
    EXPECT_FALSE(store.list()->front().machine.outdated);
}

TEST_F(MeasurementStoreTest, TwoConnectionsWriteAtOnce)
{
    constexpr int kResults = 40;
    const auto writer = [this](int first) {
        MeasurementStore store = open();
        for (int i = 0; i < kResults; ++i) {
            EXPECT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(first + i), 1)).ok());
        }
    };
    {
        const std::jthread one(writer, 1);
        const std::jthread two(writer, 1001);
        const std::jthread three(writer, 2001);
    }

    EXPECT_EQ(open().list()->front().results.size(), 3U * kResults);
}

TEST_F(MeasurementStoreTest, PeaksAreKeptByMachineAndThreads)
{
    MeasurementStore store = open();
    const StoredPeaks peaks{2, PeaksMeasured{0, 2, 6.1e11, 3.4e10, "made up"}, 7};
    ASSERT_TRUE(store.keep(someDescribed(), peaks).ok());
    const auto machine = store.seen(kDevice, someDescribed(), 8);

    EXPECT_EQ(store.findPeaks(*machine, 2)->value(), peaks);
    EXPECT_FALSE(store.findPeaks(*machine, 0)->has_value());
}

TEST_F(MeasurementStoreTest, ThePeaksKeptAreTheBestOfAllMeasurements)
{
    MeasurementStore store = open();
    StoredPeaks quiet{2, PeaksMeasured{0, 2, 6.1e11, 3.0e10, "quiet"}, 7};
    StoredPeaks beside{2, PeaksMeasured{0, 2, 3.0e11, 3.4e10, "beside others"}, 8};
    beside.peaks.lostShare = 0.5;
    ASSERT_TRUE(store.keep(someDescribed(), quiet).ok());
    ASSERT_TRUE(store.keep(someDescribed(), beside).ok());
    const auto machine = store.seen(kDevice, someDescribed(), 9);

    const StoredPeaks kept = store.findPeaks(*machine, 2)->value();
    EXPECT_EQ(kept.peaks.flopsPerSecond, 6.1e11);
    EXPECT_EQ(kept.peaks.bytesPerSecond, 3.4e10);
    EXPECT_EQ(kept.peaks.lostShare, 0.0);
    EXPECT_EQ(kept.taken, 8);
}

TEST_F(MeasurementStoreTest, ResultsFromBeforeMediansWereKeptCountAsTheFirst)
{
    StoredResult old = resultAt(questionAbout(64), 5);
    old.question.id = 0;
    writeFirstVersion(old);
    StoredResult later = old;
    later.measured.medianSeconds = 2.0 * old.measured.medianSeconds;

    const auto stands = open().keep(someDescribed(), later);

    ASSERT_TRUE(stands.ok());
    EXPECT_EQ(stands->measured.medians,
              (std::vector<double>{old.measured.medianSeconds, later.measured.medianSeconds}));
    EXPECT_FALSE(isSettled(stands->measured));
}

TEST_F(MeasurementStoreTest, AResultThatDidNotSettleNeverReplacesOneThatDid)
{
    MeasurementStore store = open();
    StoredResult settled = resultAt(questionAbout(64), 1);
    StoredResult unsettled = resultAt(questionAbout(64), 2);
    unsettled.measured.settled = false;
    const auto kept = [&](const StoredResult& result) {
        EXPECT_TRUE(store.keep(someDescribed(), result).ok());
        const auto machine = store.seen(kDevice, someDescribed(), 9);
        return store.find(*machine, result.question)->value().taken;
    };

    EXPECT_EQ(kept(unsettled), 2); // better than nothing
    unsettled.taken = 3;
    EXPECT_EQ(kept(unsettled), 3);
    settled.taken = 4;
    EXPECT_EQ(kept(settled), 4);
    unsettled.taken = 5;
    EXPECT_EQ(kept(unsettled), 4);
    settled.taken = 6;
    EXPECT_EQ(kept(settled), 6);
}

TEST_F(MeasurementStoreTest, AFileOfTheFirstVersionIsBroughtUpToDateWithItsResults)
{
    const StoredResult result = resultAt(questionAbout(64), 123);
    writeFirstVersion(result);
    {
        MeasurementStore store = open();
        const auto machine = store.seen(kDevice, someDescribed(), 200);
        ASSERT_TRUE(machine.ok());
        EXPECT_EQ(store.find(*machine, result.question)->value(), result);
        EXPECT_TRUE(store.keep(someDescribed(), StoredPeaks{}).ok());
    }
    auto database = sqlite::Database::open(file, sqlite::OpenMode::existing);
    EXPECT_EQ(*database->number("PRAGMA user_version"), kStoreVersion);
}

TEST_F(MeasurementStoreTest, OldFilesAreBroughtUpToDateOnceByManyAtTheSameTime)
{
    writeFirstVersion(resultAt(questionAbout(64), 123));
    const auto opener = [this] { EXPECT_TRUE(MeasurementStore::open(file).ok()); };
    {
        std::vector<std::jthread> openers;
        for (int i = 0; i < 6; ++i) {
            openers.emplace_back(opener);
        }
    }
    EXPECT_EQ(open().list()->size(), 1U);
}

TEST_F(MeasurementStoreTest, TheListIsSelectedByDeviceAndTime)
{
    MeasurementStore store = open();
    Described gpu = someDescribed();
    gpu.device = "Example GPU";
    gpu.kind = "cuda";
    ASSERT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(1), 100)).ok());
    ASSERT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(2), 200)).ok());
    ASSERT_TRUE(store.keep(gpu, resultAt(questionAbout(3), 300)).ok());

    EXPECT_EQ(store.list()->size(), 2U);
    EXPECT_EQ(store.list({.device = "example gpu"})->size(), 1U);
    EXPECT_TRUE(store.list({.device = "moon"})->empty());
    EXPECT_EQ(store.list({.device = "CPU", .since = 150})->front().results.size(), 1U);
    EXPECT_EQ(*store.forget({.device = "CPU", .since = 150}), 1);
    EXPECT_EQ(store.list({.device = "CPU"})->front().results.size(), 1U);
    EXPECT_EQ(*store.forget({}), 2);
    EXPECT_TRUE(store.list()->empty());
}

TEST_F(MeasurementStoreTest, ADatabaseOfAnotherProgramIsLeftAlone)
{
    {
        auto database = sqlite::Database::open(file, sqlite::OpenMode::create);
        ASSERT_TRUE(database->run("CREATE TABLE recipes (name TEXT)").ok());
    }
    expectRefusal("is a database of another program");
}

TEST_F(MeasurementStoreTest, AFileOfALaterVersionIsLeftAlone)
{
    open();
    {
        auto database = sqlite::Database::open(file, sqlite::OpenMode::existing);
        ASSERT_TRUE(database->run("PRAGMA user_version = 77").ok());
        ASSERT_TRUE(database->run("PRAGMA wal_checkpoint(TRUNCATE)").ok());
    }
    expectRefusal("has the layout 77 of a later Flopsmith");
}

TEST_F(MeasurementStoreTest, WhatIsNoDatabaseIsLeftAlone)
{
    write("My thesis. Please do not overwrite." + std::string(5000, '.'));
    expectRefusal("is no SQLite database");
}

TEST_F(MeasurementStoreTest, ADamagedFileIsASentenceAndNoCrash)
{
    {
        MeasurementStore store = open();
        for (const StoredResult& result : test::randomResults(2, 40)) {
            ASSERT_TRUE(store.keep(someDescribed(), result).ok());
        }
    }
    const std::string whole = bytes(file);
    ASSERT_GT(whole.size(), 20'000U);
    std::mt19937_64 random(3);
    int refused = 0;
    for (int trial = 0; trial < 30; ++trial) {
        std::string damaged = whole;
        for (int i = 0; i < 400; ++i) {
            damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
        }
        write(damaged);
        auto store = MeasurementStore::open(file);
        const auto listed =
            store ? store->list() : Result<std::vector<MachineResults>>(store.error());
        if (!listed) {
            EXPECT_THAT(listed.error().message, HasSubstr(file.string()));
            ++refused;
        }
    }
    EXPECT_GT(refused, 10);
}

TEST_F(MeasurementStoreTest, AMissingFolderAndAFolderInPlaceOfTheFileAreSentences)
{
    const auto missing = MeasurementStore::open(folder / "no" / "such" / "file.db");
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error().message, HasSubstr("there is no folder"));
    const auto directory = MeasurementStore::open(folder);
    ASSERT_FALSE(directory.ok());
    EXPECT_THAT(directory.error().message, HasSubstr("is no file"));
    EXPECT_FALSE(MeasurementStore::open({}).ok());
}

TEST_F(MeasurementStoreTest, LookingCreatesNothing)
{
    const auto store = MeasurementStore::openExisting(file);

    ASSERT_TRUE(store.ok());
    EXPECT_FALSE(store->has_value());
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

// As somebody else while it lives, where this process may change who it is: root may write all.
class SomebodyElse
{
public:
    SomebodyElse()
        : m_changed(geteuid() == 0 && seteuid(kNobody) == 0)
    {}
    SomebodyElse(const SomebodyElse&) = delete;
    SomebodyElse& operator=(const SomebodyElse&) = delete;
    ~SomebodyElse() { FLOPSMITH_CHECK(!m_changed || seteuid(0) == 0); }

private:
    static constexpr uid_t kNobody = 65'534;
    bool m_changed;
};

TEST_F(MeasurementStoreTest, AFileThatCannotBeWrittenIsASentenceForWritersAndLeftAsItIs)
{
    ASSERT_TRUE(open().keep(someDescribed(), resultAt(questionAbout(1), 1)).ok());
    using std::filesystem::perms;
    std::filesystem::permissions(file, perms::owner_read | perms::group_read | perms::others_read);
    std::filesystem::permissions(folder, static_cast<perms>(0555));
    const std::string before = bytes(file);
    {
        const SomebodyElse somebody;
        const auto store = MeasurementStore::open(file);
        ASSERT_FALSE(store.ok());
        EXPECT_THAT(store.error().message, HasSubstr("cannot be written"));
    }
    std::filesystem::permissions(folder, static_cast<perms>(0755));
    EXPECT_EQ(bytes(file), before);
}

} // namespace
} // namespace flopsmith
