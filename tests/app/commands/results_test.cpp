// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

// What was measured is kept: answered from the store, listed, exported, imported, forgotten.
namespace flopsmith {
namespace {

class Results : public Commands
{
protected:
    Json asked(const std::string& arguments) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.error;
        return ownJson(answer.out);
    }

    Json measured(const std::string& more = "") const
    {
        return asked("measure tiny --seq 4 --budget 0.3 --format json " + more);
    }

    static int storedParts(const Json& run)
    {
        int stored = 0;
        for (const Json& part : run["parts"]) {
            stored += part.contains("stored_at") ? 1 : 0;
        }
        return stored;
    }
};

TEST_F(Results, AnIdenticalQuestionIsAnsweredFromTheStoreAndFreshOnesAreNot)
{
    const Json first = measured();
    const int parts = static_cast<int>(first["parts"].size());
    EXPECT_EQ(storedParts(first), 0);

    const Json second = measured();
    EXPECT_EQ(storedParts(second), parts);
    EXPECT_EQ(second["total_seconds"], first["total_seconds"]);

    EXPECT_EQ(storedParts(measured("--fresh")), 0);
    EXPECT_EQ(storedParts(measured("--no-store")), 0);
    const Answer table = ask("measure tiny --seq 4 --budget 0.3");
    EXPECT_NE(table.out.find("from the store"), std::string::npos) << table.out;
    EXPECT_NE(table.error.find("were measured before, the oldest"), std::string::npos);
    EXPECT_NE(table.error.find("--fresh measures them again"), std::string::npos) << table.error;
}

TEST_F(Results, PeaksAreKeptAndAnswerForTheRooflineToo)
{
    // The environment may have a note of its own, on what slows the machine's library.
    const auto isStored = [](const Answer& answer) {
        return answer.error.find("its peaks were measured") != std::string::npos;
    };
    const Answer first = ask("peaks --budget 0.3 --format json");
    ASSERT_EQ(first.code, 0) << first.error;
    EXPECT_FALSE(isStored(first)) << first.error;

    const Answer second = ask("peaks --budget 0.3 --format json");
    EXPECT_EQ(second.out, first.out);
    EXPECT_TRUE(isStored(second)) << second.error;
    EXPECT_NE(second.error.find("--fresh"), std::string::npos) << second.error;
    for (const char* command : {"roofline tiny --hardware this",
                                "memory tiny --hardware this",
                                "sweep tiny --axis seq=4,8 --metric intensity --hardware this",
                                "chart tiny --kind roofline --hardware this -o r.svg"}) {
        const Answer answer = ask(command);
        EXPECT_EQ(answer.code, 0) << command << answer.error;
        EXPECT_TRUE(isStored(answer)) << command << answer.error;
    }
    EXPECT_FALSE(isStored(ask("peaks --budget 0.3 --no-store")));
    EXPECT_FALSE(isStored(ask("peaks --budget 0.3 --fresh")));
}

TEST_F(Results, PrecisionAndCacheAreQuestionsOfTheirOwnAndAreNamed)
{
    measured();
    const Json cold = measured("--cache cold");
    EXPECT_EQ(storedParts(cold), 0);
    EXPECT_EQ(cold["cache"], "cold");
    EXPECT_EQ(cold["precision"], "float32");
    EXPECT_EQ(storedParts(measured("--cache cold")), static_cast<int>(cold["parts"].size()));

    const Answer table = ask("measure tiny --seq 4 --budget 0.3 --cache cold");
    EXPECT_NE(table.out.find("float32, cold caches"), std::string::npos) << table.out;
    EXPECT_EQ(ask("shares tiny --seq 4 --budget 0.3 --cache cold").code, 0);
    EXPECT_EQ(ask("chart tiny --seq 4 --kind runtime --budget 0.3 --cache cold -o c.svg").code, 0);
    EXPECT_NE(text(folder / "c.svg").find("cold caches"), std::string::npos);

    const Answer refused = ask("measure tiny --seq 4 --budget 0.3 --precision tf32");
    EXPECT_EQ(refused.code, 3) << refused.out;
    EXPECT_EQ(refused.errorLines(), 1) << refused.error;
    EXPECT_NE(refused.error.find("precision"), std::string::npos) << refused.error;
    for (const char* wrong : {"--precision float8", "--cache warm"}) {
        const Answer answer = ask(std::string("measure tiny ") + wrong);
        EXPECT_EQ(answer.code, 2) << answer.out;
        EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    }
}

TEST_F(Results, AreListedByDeviceModelAndTime)
{
    EXPECT_EQ(asked("results --format json"), Json::array());
    EXPECT_FALSE(fs::exists(storeFolder() / "measurements.db")); // looking creates nothing
    const Json run = measured();
    const Json all = asked("results --format json");

    EXPECT_EQ(all.size(), run["parts"].size() + 1); // and the whole pass
    EXPECT_EQ(all[0]["device"], run["device"]["device"]);
    EXPECT_EQ(all[0]["state"], "current");
    EXPECT_EQ(asked("results --format json --model tiny --since 1h").size(), all.size());
    EXPECT_TRUE(asked("results --format json --model llama-3-8b").empty());
    EXPECT_TRUE(asked("results --format json --device moon").empty());
    EXPECT_TRUE(asked("results --format json --outdated").empty());
    const Json sorted = asked("results --format json --sort median");
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        EXPECT_LE(sorted[i - 1]["median_seconds"].get<double>(),
                  sorted[i]["median_seconds"].get<double>());
    }
    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        EXPECT_EQ(ask(std::string("results --format ") + format).code, 0) << format;
    }
    expectRefusal("results --since yesterday", "--since \"yesterday\"");
    EXPECT_EQ(ask("results --sort taste").code, 2);
}

TEST_F(Results, OfAColleagueAreADeviceThatIsShownAndNotMeasured)
{
    const Json run = measured();
    ASSERT_EQ(ask("results export -o mine.json").code, 0);
    ASSERT_EQ(ask("results forget --all").code, 0);
    EXPECT_TRUE(asked("results --format json").empty());

    const Answer imported = ask("results import mine.json --as lab-gpu");
    ASSERT_EQ(imported.code, 0) << imported.error;
    EXPECT_NE(ask("results import mine.json --as lab-gpu").out.find("known already"),
              std::string::npos);

    const std::string name = "CPU of lab-gpu (imported)";
    EXPECT_NE(ask("devices").out.find(name), std::string::npos);
    const Json shown = measured("--device '" + name + "'");
    EXPECT_EQ(storedParts(shown), static_cast<int>(run["parts"].size()));
    EXPECT_EQ(shown["total_seconds"], run["total_seconds"]);
    EXPECT_EQ(storedParts(measured()), 0); // they do not answer for this machine
    EXPECT_EQ(ask("measure tiny --seq 5 --device '" + name + "'").code, 3);
    EXPECT_NE(ask("results").out.find("of lab-gpu (imported)"), std::string::npos);
}

TEST_F(Results, GarbageIsRefusedAndChangesNothing)
{
    measured();
    const std::string before = ask("results export").out;
    file("garbage.json", "{\"flopsmith_results\": 1, \"machines\": 7}");
    file("other.json", "[1, 2, 3]");

    expectRefusal("results import garbage.json", "garbage.json: name: missing");
    expectRefusal("results import other.json", "these are no results");
    file("later.json", "{\"flopsmith_results\": 2}");
    expectRefusal("results import later.json",
                  "later.json: this program reads results of version 1, not 2");
    expectRefusal("results import missing.json", "missing.json");
    EXPECT_EQ(ask("results export").out, before);
    EXPECT_EQ(ask("results forget").code, 2);
}

TEST_F(Results, NothingFoundIsASentenceAndNoEmptyTable)
{
    measured();

    const Answer answer = ask("results --device nobody");
    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(answer.out.find("0 results in "), std::string::npos) << answer.out;
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 1) << answer.out;
    EXPECT_EQ(ask("results --device nobody --format json").out, "[]\n");
}

TEST_F(Results, AnExportNamesItsFileEitherWay)
{
    measured();

    EXPECT_EQ(ask("results export one.json").code, 0);
    EXPECT_EQ(ask("results export -o two.json").code, 0);
    EXPECT_EQ(text(folder / "one.json"), text(folder / "two.json"));
    EXPECT_FALSE(text(folder / "one.json").empty());
}

TEST_F(Results, ABrokenStoreIsANoteAndMeasuringGoesOn)
{
    const fs::path thesis = file("thesis.db", "My thesis." + std::string(5000, '.'));

    const Answer answer = ask("measure tiny --seq 4 --budget 0.3 --store thesis.db");

    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(answer.error.find("is no SQLite database; measured without it"), std::string::npos)
        << answer.error;
    EXPECT_EQ(fs::file_size(thesis), 5010U);
    expectRefusal("results --store thesis.db", "is no SQLite database");
    EXPECT_EQ(ask("measure tiny --seq 4 --budget 0.3 --store no/such/folder/x.db").code, 0);
}

TEST_F(Results, AnExportSaysWhoseNameItCarries)
{
    const Answer unnamed = ask("results export one.json");
    const auto name = ownJson(text(folder / "one.json"))["name"].get<std::string>();

    EXPECT_NE(unnamed.error.find("\"" + name + "\", the name of this computer"), std::string::npos)
        << unnamed.error;
    EXPECT_EQ(ask("results export two.json --name lab").error, "");
    EXPECT_EQ(ownJson(text(folder / "two.json"))["name"], "lab");
}

} // namespace
} // namespace flopsmith
