// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/installed_templates.h"
#include "core/export/torch/modules.h"
#include "tests/core/export/torch/python_check.h"
#include "tests/support/ffn_cases.h"
#include "tests/support/mixer_cases.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

// What must exist of every variant of the registries, whoever adds it.
namespace flopsmith::torch {
namespace {

constexpr int kRenderedWidth = 24;

PythonExpression moduleOf(const FfnSpec& ffn, ClassList& classes)
{
    return ffnModule(ffn, kRenderedWidth, classes);
}

PythonExpression moduleOf(const MixerSpec& mixer, ClassList& classes)
{
    return mixerModule(mixer, kRenderedWidth, "table", classes);
}

// The prototypes with each value of each of their choices and flags.
template <class Variant>
std::vector<Variant> withEachOption(const std::vector<Variant>& prototypes)
{
    std::vector<Variant> all;
    for (const Variant& prototype : prototypes) {
        const Variant spec = test::fitted(prototype, {kRenderedWidth});
        all.push_back(spec);
        for (const Field<Variant>& field : fields(spec)) {
            for (const FieldValue& value : field.legal(spec, {kRenderedWidth}).stops()) {
                if (test::isChoice(value)) {
                    all.push_back(spec);
                    field.assign(all.back(), value);
                }
            }
        }
    }
    return all;
}

template <class Variant>
std::string renderedText(const Variant& spec)
{
    ClassList classes;
    const PythonExpression call = moduleOf(spec, classes);
    const Result<std::string> source = classes.source("module = " + call.text(0, 9) + "\n");
    EXPECT_TRUE(source.ok()) << info(spec).id << " " << test::describe(spec)
                             << source.error().message;
    return source.ok() ? *source : std::string{};
}

template <class Variant>
std::vector<std::string> renderedTexts(const std::vector<Variant>& specs)
{
    std::vector<std::string> texts;
    for (const Variant& spec : specs) {
        texts.push_back(renderedText(spec));
    }
    return texts;
}

template <class Variant>
void expectTemplates(const std::string& room, const std::vector<Variant>& prototypes)
{
    for (const Variant& prototype : prototypes) {
        const std::string path = room + "/" + std::string(info(prototype).id) + ".py";
        EXPECT_TRUE(templateAt(path)) << "core/" << room << "/torch lacks " << path;
    }
}

TEST(TemplateRegistry, HasOneOfEveryVariant)
{
    expectTemplates("ffn", ffnPrototypes());
    expectTemplates("mixer", mixerPrototypes());
}

TEST(TemplateRegistry, RendersEachOption)
{
    renderedTexts(withEachOption(ffnPrototypes()));
    renderedTexts(withEachOption(mixerPrototypes()));
}

TEST(TemplateRegistry, RendersGeneratedCases)
{
    renderedTexts(test::ffnCases(kRenderedWidth, 2));
    renderedTexts(test::mixerCases(kRenderedWidth, 2));
}

TEST(TemplateRegistry, IsPythonBeforeAndAfterRendering)
{
    if (!test::hasPython()) {
        GTEST_SKIP() << "there is no python3";
    }
    std::vector<std::string> texts = renderedTexts(withEachOption(ffnPrototypes()));
    for (std::string& text : renderedTexts(withEachOption(mixerPrototypes()))) {
        texts.push_back(std::move(text));
    }
    for (const InstalledTemplate& each : installedTemplates()) {
        texts.emplace_back(each.text);
    }

    EXPECT_TRUE(test::compilesInPython(texts));
}

// The values that a template compares the fields of the specification with.
template <class Spec>
void expectKnownValues(const std::string& path, const Spec& prototype)
{
    const std::string text(templateAt(path).value_or(""));
    const std::regex comparison("(\\w+) [=!]= (\\w+)");
    const std::regex condition("#(if|elif|\\?) .*");
    for (std::sregex_iterator line(text.begin(), text.end(), condition), end; line != end; ++line) {
        const std::string written = line->str();
        for (std::sregex_iterator it(written.begin(), written.end(), comparison); it != end; ++it) {
            for (const auto& field : test::fieldsOf(prototype)) {
                if (field.text.key == (*it)[1].str()
                    && std::holds_alternative<std::string>(field.value(prototype))) {
                    Spec spec = prototype;
                    field.assign(spec, FieldValue((*it)[2].str()));
                    EXPECT_EQ(field.value(spec), FieldValue((*it)[2].str())) << path;
                }
            }
        }
    }
}

// A field keeps its value when it is assigned one that does not exist.
TEST(TemplateRegistry, ComparesFieldsWithValuesThatExist)
{
    for (const FfnSpec& prototype : ffnPrototypes()) {
        expectKnownValues("ffn/" + std::string(info(prototype).id) + ".py", prototype);
    }
    for (const MixerSpec& prototype : mixerPrototypes()) {
        expectKnownValues("mixer/" + std::string(info(prototype).id) + ".py", prototype);
    }
    expectKnownValues("layer/norm.py", Norm{});
    expectKnownValues("layer/embedding.py", Embedding{});
    expectKnownValues("layer/patch_embedding.py", Embedding{.input = InputKind::patches});
    expectKnownValues("layer/lm_head.py", Head{});
    expectKnownValues("layer/first_token_head.py", Head{.kind = HeadKind::pooler});
}

// What PyTorch 1.13, the oldest that exports run with, has of what they call.
const std::set<std::string> kNamesOf113{"torch",
                                        "torch.rsqrt",
                                        "torch.exp",
                                        "F.softplus",
                                        "nn.Conv1d",
                                        "F.binary_cross_entropy_with_logits",
                                        "F.cross_entropy",
                                        "F.mse_loss",
                                        "torch.finfo",
                                        "torch.promote_types",
                                        "torch.bincount",
                                        "torch.cuda.is_available",
                                        "torch.cuda.set_device",
                                        "torch.device",
                                        "torch.distributed.all_reduce",
                                        "torch.distributed.destroy_process_group",
                                        "torch.distributed.init_process_group",
                                        "torch.nn.utils.clip_grad_norm_",
                                        "torch.no_grad",
                                        "torch.optim.AdamW",
                                        "torch.set_num_threads",
                                        "torch.uint8",
                                        "torch.arange",
                                        "torch.bfloat16",
                                        "torch.bool",
                                        "torch.cat",
                                        "torch.complex",
                                        "torch.div",
                                        "torch.einsum",
                                        "torch.empty",
                                        "torch.fft.fft",
                                        "torch.fft.fft2",
                                        "torch.fft.irfft",
                                        "torch.fft.rfft",
                                        "torch.float32",
                                        "torch.float64",
                                        "torch.frombuffer",
                                        "torch.int32",
                                        "torch.int64",
                                        "torch.log",
                                        "torch.nn.functional",
                                        "torch.ones",
                                        "torch.ones_like",
                                        "torch.randn",
                                        "torch.sigmoid",
                                        "torch.softmax",
                                        "torch.sort",
                                        "torch.sqrt",
                                        "torch.tanh",
                                        "torch.tensor",
                                        "torch.where",
                                        "torch.zeros",
                                        "torch.zeros_like",
                                        "nn.Conv2d",
                                        "nn.Dropout",
                                        "nn.Embedding",
                                        "nn.LayerNorm",
                                        "nn.Linear",
                                        "nn.Module",
                                        "nn.ModuleList",
                                        "nn.Parameter",
                                        "nn.ParameterDict",
                                        "F.gelu",
                                        "F.linear",
                                        "F.pad",
                                        "F.relu",
                                        "F.silu"};

void expectOldNames(const std::string& text)
{
    const std::regex name(R"((^|[^\w.])((?:torch|nn|F)(?:\.\w+)+))");
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
        EXPECT_TRUE(kNamesOf113.contains((*it)[2].str())) << (*it)[2].str();
    }
    for (const char* since2 : {"enable_gqa", "scaled_dot_product_attention", "rms_norm("}) {
        EXPECT_EQ(text.find(since2), std::string::npos) << since2;
    }
}

TEST(TemplateRegistry, CallsWhatPyTorch113Has)
{
    for (const std::string& text : renderedTexts(withEachOption(ffnPrototypes()))) {
        expectOldNames(text);
    }
    for (const std::string& text : renderedTexts(withEachOption(mixerPrototypes()))) {
        expectOldNames(text);
    }
    for (const InstalledTemplate& each : installedTemplates()) {
        expectOldNames(std::string(each.text));
    }
}

TEST(TemplateRegistry, KeepsLinesShortEnoughToRead)
{
    for (const std::string& text : renderedTexts(withEachOption(ffnPrototypes()))) {
        std::size_t begin = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos;
             begin = end + 1, end = text.find('\n', begin)) {
            // Letters beyond ASCII take two or three bytes.
            EXPECT_LE(end - begin, 130U) << text.substr(begin, end - begin);
        }
    }
}

} // namespace
} // namespace flopsmith::torch
