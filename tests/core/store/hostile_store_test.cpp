// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/store_fixture.h"

#include <unistd.h>

// Files that somebody else made, or keeps.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using test::questionAbout;
using test::resultAt;
using test::someDescribed;

class HostileStore : public test::StoreTest
{};

// While it lives, the rights of files count, for the superuser too.
class WithoutPrivileges
{
public:
    WithoutPrivileges()
        : m_before(geteuid())
    {
        if (m_before == 0) {
            constexpr uid_t kNobody = 65534;
            FLOPSMITH_CHECK(seteuid(kNobody) == 0);
        }
    }
    ~WithoutPrivileges() { FLOPSMITH_CHECK(seteuid(m_before) == 0); }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

private:
    uid_t m_before;
};

TEST_F(HostileStore, AFileThatMayOnlyBeReadIsListed)
{
    {
        MeasurementStore store = open();
        ASSERT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(64), 1'700'000'000)).ok());
    }
    const std::string before = bytes(file);
    fs::permissions(file, static_cast<fs::perms>(0444));
    fs::permissions(folder, static_cast<fs::perms>(0555));
    std::size_t listed = 0;
    bool writable = true;
    {
        const WithoutPrivileges rights;
        Result<std::optional<MeasurementStore>> store = MeasurementStore::openExisting(file);
        EXPECT_TRUE(store.ok()) << store.error().message;
        const auto all = store && *store ? (*store)->list() : Error{};
        listed = all.ok() ? all->size() : 0;
        writable = MeasurementStore::open(file).ok();
    }
    fs::permissions(folder, static_cast<fs::perms>(0755));

    EXPECT_EQ(listed, 1U);
    EXPECT_FALSE(writable);
    EXPECT_EQ(bytes(file), before);
}

TEST_F(HostileStore, ALayoutThatNobodyWritesIsNotCalledLater)
{
    {
        open();
        Result<sqlite::Database> raw = sqlite::Database::open(file, sqlite::OpenMode::existing);
        ASSERT_TRUE(raw->run("PRAGMA user_version = -1").ok());
    }

    const auto store = MeasurementStore::open(file);

    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("the layout -1, which no Flopsmith writes"),
              std::string::npos)
        << store.error().message;
}

TEST_F(HostileStore, ATriggerOfAStrangerDoesNotRun)
{
    open();
    {
        Result<sqlite::Database> raw = sqlite::Database::open(file, sqlite::OpenMode::existing);
        ASSERT_TRUE(raw->run("CREATE TABLE traces (x)").ok());
        ASSERT_TRUE(raw->run("CREATE TRIGGER spy AFTER INSERT ON results BEGIN"
                             " INSERT INTO traces VALUES (1); DELETE FROM results; END")
                        .ok());
    }
    MeasurementStore store = open();

    ASSERT_TRUE(store.keep(someDescribed(), resultAt(questionAbout(64), 1'700'000'000)).ok());

    EXPECT_EQ(store.list()->front().results.size(), 1U);
    EXPECT_EQ(*store.forget({}), 1); // what belongs together still goes together
    EXPECT_TRUE(store.list()->empty());
}

} // namespace
} // namespace flopsmith
