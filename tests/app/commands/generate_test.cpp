// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

namespace flopsmith {
namespace {

class GenerateCommand : public Commands
{
protected:
    // A model of the shipped text after a few steps, and its folder.
    void train()
    {
        ASSERT_EQ(ask("lab run --task text --set seq=16 --set batch=4 --set test=4 --arms dense "
                      "--seeds 1 --steps 3 --no-tuning -o l.jsonl")
                      .code,
                  0);
        const Answer exported = ask("lab export l.jsonl.models/dense-1.safetensors -o trained");
        ASSERT_EQ(exported.code, 0) << exported.error;
    }
};

TEST_F(GenerateCommand, WritesWhatASavedModelAndItsFolderWrite)
{
    train();
    const std::string how = " --prompt 'And he' --tokens 20 --seed 3";
    const Answer written = ask("generate trained" + how);
    ASSERT_EQ(written.code, 0) << written.error;
    EXPECT_TRUE(written.out.starts_with("And he")) << written.out;
    EXPECT_EQ(ask("generate trained" + how).out, written.out);
    EXPECT_NE(ask("generate trained --prompt 'And he' --tokens 20 --seed 4").out, written.out);
    EXPECT_EQ(
        ask("generate l.jsonl.models/dense-1.safetensors --temperature 0 --tokens 9").out,
        ask("generate l.jsonl.models/dense-1.safetensors --temperature 0 --tokens 9 --seed 8").out);
}

TEST_F(GenerateCommand, RefusesInOneSentence)
{
    train();
    expectRefusal("generate trained --prompt '#'", "#");
    expectRefusal("generate trained --tokens 0", "length");
    expectRefusal("generate trained --top-k 0", "top-k");
    expectRefusal("generate nowhere.safetensors", "nowhere.safetensors");
    expectRefusal("lab export l.jsonl.models/dense-1.safetensors -o trained", "trained");
    file("trained/alphabet.json", "[\"a\", \"a\"]");
    expectRefusal("generate trained", "different characters");
    ASSERT_EQ(ask("export torch gpt2 -o random --no-weights").code, 0);
    expectRefusal("generate random", "tokenizer");
}

} // namespace
} // namespace flopsmith
