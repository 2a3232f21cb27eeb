// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/class_lock.h"

#include "core/ffn/dense.h"
#include "core/ffn/no_ffn.h"
#include "tests/core/parameter/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

using testing::HasSubstr;

using Kind = ClassLock::Kind;

ClassLock bounded(const char* key, double min, double max)
{
    return {.key = key, .kind = Kind::bounded, .min = min, .max = max};
}

std::string whyNot(const ClassLock& lock)
{
    const Status status = checked(lock);
    EXPECT_FALSE(status.ok()) << lock.key;
    return status ? std::string() : status.error().message;
}

Scenario with(const Scenario& scenario, const char* key, std::int64_t value)
{
    Scenario changed = scenario;
    for (const Parameter& parameter : matchingParameters(changed, key)) {
        parameter.assign(changed, value);
    }
    return changed;
}

TEST(ClassLock, TakesEveryKindWhereItMeansSomething)
{
    for (const char* key : {"d_ff", "ffn.d_ff", "lens", "page:memory", "action:file.open"}) {
        EXPECT_TRUE(checked(ClassLock{.key = key}).ok()) << key;
    }
    EXPECT_TRUE(checked(ClassLock{.key = "lens", .kind = Kind::fixed}).ok());
    EXPECT_TRUE(checked(bounded("d_ff", -1, -1)).ok());
}

TEST(ClassLock, RefusesWhatIsNoLockInOneSentence)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(whyNot({}), HasSubstr("is no control"));
    EXPECT_THAT(whyNot({.key = std::string(kLongestLockKey + 1, 'a')}), HasSubstr("96 bytes"));
    EXPECT_THAT(whyNot({.key = "d\nff"}), HasSubstr("is no control"));
    EXPECT_THAT(whyNot({.key = "blocks[3].ffn.d_ff"}), HasSubstr("leave the number"));
    EXPECT_THAT(whyNot({.key = "page:memory", .kind = Kind::fixed}), HasSubstr("not fixed"));
    EXPECT_THAT(whyNot(bounded("action:file.open", 1, 2)), HasSubstr("not bounded"));
    EXPECT_THAT(whyNot(bounded("lens", 1, 2)), HasSubstr("bounds are of numbers"));
    EXPECT_THAT(whyNot(bounded("d_ff", 2, 1)), HasSubstr("2 to 1"));
    EXPECT_THAT(whyNot(bounded("d_ff", kNone, 1)), HasSubstr("hold no number"));
    EXPECT_THAT(whyNot(bounded("d_ff", 0, std::numeric_limits<double>::infinity())),
                HasSubstr("hold no number"));
    EXPECT_THAT(whyNot({.key = "d_ff", .max = 3}), HasSubstr("only a bounded control"));
    EXPECT_THAT(whyNot({.key = "d_ff", .values = {FieldValue(std::int64_t{3})}}),
                HasSubstr("only a fixed parameter"));
    EXPECT_THAT(whyNot({.key = "d_ff", .sentence = std::string(kLongestLockSentence + 1, 'x')}),
                HasSubstr("one line"));
    EXPECT_THAT(whyNot({.key = "d_ff", .sentence = "two\nlines"}), HasSubstr("one line"));
}

TEST(ClassLock, ADesignHasAtMostSoManyAndOneOfEachKey)
{
    std::vector<ClassLock> locks;
    for (std::size_t i = 0; i <= kMaxClassLocks; ++i) {
        locks.push_back({.key = "page:" + std::to_string(i)});
    }
    EXPECT_FALSE(checked(locks).ok());
    locks.pop_back();
    EXPECT_TRUE(checked(locks).ok());
    locks[1].key = locks[0].key;
    EXPECT_THAT(checked(locks).error().message, HasSubstr("locked twice"));
}

TEST(ClassLock, SettingOneReplacesThatOfItsKey)
{
    std::vector<ClassLock> locks;
    setClassLock(locks, {.key = "d_ff"});
    setClassLock(locks, {.key = "lens"});
    setClassLock(locks, bounded("d_ff", 1, 2));
    ASSERT_EQ(locks.size(), 2U);
    EXPECT_EQ(classLockOfKey(locks, "d_ff")->kind, Kind::bounded);
    removeClassLock(locks, "d_ff");
    EXPECT_EQ(classLockOfKey(locks, "d_ff"), nullptr);
}

TEST(ClassLock, TheStrictestOneOfAParameterCounts)
{
    const Scenario scenario = test::preset("gpt2");
    const Parameter width = test::named(scenario, "ffn.d_ff");
    EXPECT_EQ(classLockKey(width), "ffn.d_ff");

    const std::vector<ClassLock> locks{
        bounded("d_ff", 1, 9999), {.key = "ffn.d_ff", .kind = Kind::fixed}, {.key = "heads"}};
    EXPECT_EQ(classLockOf(locks, width), &locks[1]);
    EXPECT_FALSE(allowsSetting(locks, width).ok());
    EXPECT_TRUE(allowsSetting({locks.data(), 1}, width).ok());
    EXPECT_EQ(classLockOf(locks, test::named(scenario, "d_model")), nullptr);
}

TEST(ClassLock, SaysWhatIsLockedAndWhatTheTeacherSays)
{
    std::vector<ClassLock> locks{{.key = "ffn.d_ff", .kind = Kind::fixed, .sentence = "Later."}};
    noteFixedValues(locks, test::preset("gpt2"));
    EXPECT_EQ(classLockText(locks[0]), "d_ff is fixed at 3072 for this class: Later.");
    EXPECT_EQ(classLockText(bounded("seq", 128, 2048)),
              "seq stays between 128 and 2048 for this class");
    EXPECT_EQ(classLockText(bounded("share", 0.25, 100'000)),
              "share stays between 0.25 and 100000 for this class");
    EXPECT_EQ(classLockText({.key = "page:memory"}), "the page memory is hidden for this class");
}

TEST(ClassLock, AFixedParameterKeepsItsValueInOldAndNewBlocks)
{
    const Scenario before = test::preset("gpt2");
    std::vector<ClassLock> locks{{.key = "ffn.d_ff", .kind = Kind::fixed}};
    noteFixedValues(locks, before);

    EXPECT_TRUE(allowsEdit(locks, before, before).ok());
    EXPECT_TRUE(allowsEdit(locks, before, with(before, "seq", 7)).ok());
    EXPECT_FALSE(allowsEdit(locks, before, with(before, "d_ff", 3071)).ok());

    Scenario more = before;
    more.model.runs.push_back(more.model.runs.front());
    EXPECT_TRUE(allowsEdit(locks, before, more).ok());
    get<DenseFfn>(more.model.runs.back().block.ffn).dFf = 64;
    EXPECT_FALSE(allowsEdit(locks, before, more).ok());
}

TEST(ClassLock, AFixedValueIsRememberedWhileNoBlockHasIt)
{
    const Scenario dense = test::preset("gpt2");
    Scenario none = dense;
    none.model.runs.front().block.ffn = NoFfn{};
    std::vector<ClassLock> locks{{.key = "ffn.d_ff", .kind = Kind::fixed}};
    noteFixedValues(locks, dense);
    noteFixedValues(locks, none); // there is none to note

    EXPECT_TRUE(allowsEdit(locks, dense, none).ok());
    EXPECT_TRUE(allowsEdit(locks, none, dense).ok());
    EXPECT_FALSE(allowsEdit(locks, none, with(dense, "d_ff", 64)).ok());
}

TEST(ClassLock, BlocksMayChangePlacesButNotValues)
{
    Scenario before = test::preset("gpt2");
    before.model.runs.push_back(before.model.runs.front());
    get<DenseFfn>(before.model.runs.back().block.ffn).dFf = 64;
    std::vector<ClassLock> locks{{.key = "d_ff", .kind = Kind::fixed}};
    noteFixedValues(locks, before);

    Scenario moved = before;
    std::swap(moved.model.runs.front(), moved.model.runs.back());
    EXPECT_TRUE(allowsEdit(locks, before, moved).ok());
    EXPECT_FALSE(allowsEdit(locks, before, with(before, "d_ff", 64)).ok());
}

TEST(ClassLock, ABoundedParameterStaysInItsRangeOrWhereItWas)
{
    const Scenario before = test::preset("gpt2"); // 3072
    const std::vector<ClassLock> around{bounded("d_ff", 1000, 4000)};
    EXPECT_TRUE(allowsEdit(around, before, with(before, "d_ff", 1000)).ok());
    EXPECT_TRUE(allowsEdit(around, before, with(before, "d_ff", 4000)).ok());
    EXPECT_FALSE(allowsEdit(around, before, with(before, "d_ff", 999)).ok());
    EXPECT_FALSE(allowsEdit(around, before, with(before, "d_ff", 4001)).ok());

    const std::vector<ClassLock> below{bounded("d_ff", 1, 2000)};
    EXPECT_TRUE(allowsEdit(below, before, with(before, "seq", 7)).ok());
    EXPECT_TRUE(allowsEdit(below, before, with(before, "d_ff", 2000)).ok());
    EXPECT_FALSE(allowsEdit(below, before, with(before, "d_ff", 3000)).ok());
}

TEST(ClassLock, ATypedNumberIsMovedIntoTheRange)
{
    const ClassLock lock = bounded("d_ff", 1.5, 10.5);
    EXPECT_EQ(withinBounds(lock, std::int64_t{1}), FieldValue(std::int64_t{2}));
    EXPECT_EQ(withinBounds(lock, std::int64_t{5}), FieldValue(std::int64_t{5}));
    EXPECT_EQ(withinBounds(lock, std::int64_t{11}), FieldValue(std::int64_t{10}));
    EXPECT_EQ(withinBounds(lock, 0.25), FieldValue(1.5));
    EXPECT_EQ(withinBounds(lock, true), FieldValue(true));
    EXPECT_EQ(withinBounds({.key = "d_ff"}, std::int64_t{1}), FieldValue(std::int64_t{1}));
}

TEST(ClassLock, AHiddenParameterMayFollowOthers)
{
    const Scenario before = test::preset("gpt2");
    const std::vector<ClassLock> locks{{.key = "d_ff"}};
    EXPECT_TRUE(allowsEdit(locks, before, with(before, "d_ff", 64)).ok());
    EXPECT_FALSE(allowsSetting(locks, test::named(before, "d_ff")).ok());
}

TEST(ClassLock, AWholeNumberInAFileIsAlsoARealOne)
{
    const Scenario before = test::preset("gpt2");
    Scenario none = before;
    none.model.runs.front().block.ffn = NoFfn{};
    const std::vector<ClassLock> locks{
        {.key = "d_ff", .kind = Kind::fixed, .values = {FieldValue(3072.0)}}};
    EXPECT_TRUE(allowsEdit(locks, none, before).ok());
}

} // namespace
} // namespace flopsmith
