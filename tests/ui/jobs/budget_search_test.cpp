// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/budget_search.h"

#include "core/model/presets.h"
#include "tests/ui/waiting.h"

#include <gtest/gtest.h>

#include <QTest>

#include <optional>

namespace flopsmith::ui {
namespace {

SearchPlan widthPlan(double limit)
{
    return {.base = {*presetNamed("gpt2"), {}},
            .key = "d_model",
            .bounds = {{MetricId::params, Bound::Side::atMost, limit}},
            .metric = MetricId::params};
}

class BudgetSearchTest : public testing::Test
{
protected:
    BudgetSearchTest()
    {
        QObject::connect(&job, &BudgetSearch::finished, &job, [this](const auto& found) {
            result = found;
            ++finished;
        });
    }

    BudgetSearch job;
    std::optional<Result<SearchResult>> result;
    int finished = 0;
};

TEST_F(BudgetSearchTest, FindsWhatTheSearchFinds)
{
    job.start(widthPlan(124e6));
    EXPECT_TRUE(job.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([this] { return finished > 0; }, test::kLong));

    const Result<SearchResult> expected = search(widthPlan(124e6));
    ASSERT_TRUE(result->ok() && expected.ok());
    EXPECT_EQ((*result)->found.value, expected->found.value);
    EXPECT_FALSE(job.isRunning());
}

TEST_F(BudgetSearchTest, OnlyTheLastSearchReports)
{
    job.start(widthPlan(1e12));
    job.start(widthPlan(124e6));
    ASSERT_TRUE(QTest::qWaitFor([this] { return finished > 0; }, test::kLong));
    QCoreApplication::processEvents();

    EXPECT_EQ(finished, 1);
    EXPECT_EQ((*result)->found.value, search(widthPlan(124e6))->found.value);
}

TEST_F(BudgetSearchTest, ACancelledSearchReportsNothing)
{
    job.start(widthPlan(124e6));
    job.cancel();
    QCoreApplication::processEvents();

    EXPECT_EQ(finished, 0);
    EXPECT_FALSE(job.isRunning());
}

TEST_F(BudgetSearchTest, SaysWhyNothingFits)
{
    job.start(widthPlan(1));
    ASSERT_TRUE(QTest::qWaitFor([this] { return finished > 0; }, test::kLong));

    ASSERT_FALSE(result->ok());
    EXPECT_NE(result->error().message.find("no legal value of d_model"), std::string::npos);
}

} // namespace
} // namespace flopsmith::ui
