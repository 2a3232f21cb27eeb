// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sha256.h"
#include "core/lab/task/alphabet.h"
#include "core/lab/task/grammar.h"
#include "core/lab/task/task.h"
#include "core/lab/task/training_text.h"
#include "tests/core/lab/temporary_folder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace flopsmith {
namespace {

std::string repeated(const std::string& text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

TEST(TrainingText, OfWhatIsNoFileIsNotWaitedFor)
{
    for (const char* device : {"/dev/null", "/dev/zero"}) {
        const Result<std::string> text = trainingText(TextTask{.file = device});
        ASSERT_FALSE(text.ok());
        EXPECT_THAT(text.error().message, testing::HasSubstr("it has to be a file"));
    }
}

TEST(Alphabet, GivesEachFrequentCharacterAToken)
{
    const Alphabet alphabet = Alphabet::of(repeated("ab\xC3\xA4", 5) + "z");

    EXPECT_EQ(alphabet.symbols(), (std::vector<std::string>{"a", "b", "\xC3\xA4", "\xEF\xBF\xBD"}));
    EXPECT_EQ(alphabet.tokens("b\xC3\xA4z"), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(alphabet.text(std::vector<int>{2, 0}),
              "\xC3\xA4"
              "a");
}

TEST(Alphabet, HasTwoSymbolsAtLeastAndBoundsTheirNumber)
{
    EXPECT_GE(Alphabet::of("").size(), 2);
    EXPECT_GE(Alphabet::of("aaaaaaaa").size(), 2);

    std::string many;
    for (int i = 0; i < 1'000; ++i) {
        const int code = 0x4E00 + i;
        const std::string character{static_cast<char>(0xE0 | (code >> 12)),
                                    static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
                                    static_cast<char>(0x80 | (code & 0x3F))};
        many += repeated(character, 5);
    }
    EXPECT_EQ(Alphabet::of(many).size(), 128);
    EXPECT_EQ(Alphabet::of(many).tokens(many).size(), 5'000U);
}

TEST(TextEntropies, AreThoseOfItsCharactersAndPairs)
{
    const TextEntropies alternating =
        entropiesOf(std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 2);

    EXPECT_NEAR(alternating.uniform, std::log(2.0), 1e-12);
    EXPECT_NEAR(alternating.single, std::log(2.0), 1e-12);
    EXPECT_NEAR(alternating.pair, 0.0, 1e-12);
}

TEST(Grammar, KnowsTheEntropyOfItsSentences)
{
    const Grammar coin({{"s", 1.0, "{side}."}, {"side", 1.0, "a"}, {"side", 3.0, "bcd"}});

    EXPECT_NEAR(coin.sentenceEntropy(), std::log(4.0) - 0.75 * std::log(3.0), 1e-12);
    EXPECT_NEAR(coin.sentenceLength(), 3.5, 1e-12);
    std::map<std::string, int> drawn;
    Random random(1);
    for (int i = 0; i < 4'000; ++i) {
        ++drawn[coin.sentence(random)];
    }
    EXPECT_EQ(drawn.size(), 2U);
    EXPECT_NEAR(drawn["bcd."], 3'000, 150);
}

TEST(Grammar, OfTheLabDrawsWhatItSays)
{
    const Grammar grammar(labGrammar());
    Random random(2);
    double letters = 0.0;
    for (int i = 0; i < 2'000; ++i) {
        const std::string sentence = grammar.sentence(random);
        EXPECT_TRUE(sentence.ends_with(". "));
        EXPECT_EQ(sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz .,"), std::string::npos)
            << sentence;
        letters += static_cast<double>(sentence.size());
    }
    EXPECT_NEAR(letters / 2'000, grammar.sentenceLength(), 0.05 * grammar.sentenceLength());
    EXPECT_GT(grammar.entropy(), 0.1);
    EXPECT_LT(grammar.entropy(), 1.0);
}

class TextTasks : public test::WithFolder
{
protected:
    std::string refusal(const TextTask& spec) const
    {
        const auto task = makeTask(spec, 8, 1);
        return task ? std::string() : task.error().message;
    }
};

TEST_F(TextTasks, ReadAFileOfAnyLanguage)
{
    const std::string text = repeated("Im Anfang schuf Gott Himmel und Erde; und die Erde war "
                                      "w\xC3\xBCst und leer.\n",
                                      40);
    const TextTask spec{
        .file = written("text.txt", text), .sha256 = sha256(text), .sequence = 16, .batch = 4};

    const auto task = makeTask(spec, 8, 1);

    ASSERT_TRUE(task.ok()) << task.error().message;
    const TrainingBatch<float> batch = (*task)->training(1);
    const Alphabet alphabet((*task)->symbols());
    const std::string shown = alphabet.text(std::span<const int>(batch.inputs.tokens).first(16));
    EXPECT_NE(text.find(shown), std::string::npos) << shown;
    for (std::size_t i = 0; i + 1 < 16; ++i) {
        EXPECT_EQ(batch.targets.labels[i], batch.inputs.tokens[i + 1]);
    }
    const std::vector<ReferenceScore> references = (*task)->references();
    EXPECT_GT(references[0].value, references[1].value);
    EXPECT_GT(references[1].value, references[2].value);
}

TEST(ReferenceScores, OfTheShippedTextAreWhatPredictorsReach)
{
    const auto references = referenceScores(TextTask{}, 8);
    ASSERT_TRUE(references.ok()) << references.error().message;
    ASSERT_EQ(references->size(), 3U);
    EXPECT_NEAR(references->front().value, std::log(61.0), 1e-9); // kinds of the shipped text
    EXPECT_LT((*references)[2].value, (*references)[1].value);
}

TEST(GrammarTasks, TuneOnOtherExamplesThanTheyCompare)
{
    const auto examples = [](std::uint64_t seed) {
        return makeTask(GrammarTask{}, 8, seed).value()->test().front().inputs.tokens;
    };

    EXPECT_EQ(examples(1), examples(2));
    EXPECT_NE(examples(0), examples(1));
}

TEST_F(TextTasks, RefuseWhatIsNoText)
{
    const std::string empty = written("empty.txt", "");
    const std::string shortText = written("short.txt", repeated("hello ", 50));
    const std::string binary = written("binary.txt", std::string(5'000, '\0'));
    const std::string changed = written("changed.txt", repeated("hello world ", 500));

    EXPECT_NE(refusal({.file = empty}).find("empty.txt"), std::string::npos);
    EXPECT_NE(refusal({.file = shortText}).find("at least"), std::string::npos);
    EXPECT_NE(refusal({.file = binary}), "");
    EXPECT_NE(refusal({.file = file("none.txt")}), "");
    EXPECT_NE(refusal({.file = changed, .sha256 = std::string(64, '0')}).find("changed"),
              std::string::npos);
    EXPECT_EQ(refusal({.file = changed}), "");
}

TEST_F(TextTasks, RefuseOtherEncodings)
{
    const std::string latin = written("latin1.txt", repeated("hello world\n", 500) + "\xE4pfel\n");

    EXPECT_EQ(refusal({.file = latin}),
              latin + ", line 501: the text is not UTF-8; save it as UTF-8");
}

TEST_F(TextTasks, AreKnownOnlyIfTheyCanBeLearned)
{
    const std::string text = repeated("hello world ", 500);
    TextTask fits{.file = written("fits.txt", text)};
    TextTask tooShort{.file = written("short.txt", "hello")};

    ASSERT_TRUE(loadText(fits).ok());
    EXPECT_EQ(fits.sha256, sha256(text));
    EXPECT_THAT(loadText(tooShort).error().message, testing::HasSubstr("has 5 characters"));
    EXPECT_EQ(tooShort.sha256, "");
}

} // namespace
} // namespace flopsmith
