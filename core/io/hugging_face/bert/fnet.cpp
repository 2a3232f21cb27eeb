// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/bert/encoder.h"
#include "core/mixer/fourier.h"

namespace flopsmith {
namespace {

constexpr Architecture kFnetArchitectures[]{
    {"FNetModel", HeadKind::pooler},
    {"FNetForMaskedLM", HeadKind::lm},
    {"FNetForSequenceClassification", HeadKind::classifier},
};

constexpr EncoderDefaults kFnetDefaults{.vocab = 32000, .tokenTypes = 4, .activation = "gelu_new"};

// BERT with Fourier mixing instead of attention, and a projection after the embedding although that
// is as wide as the model.
Model importFnet(ConfigReader& config, const Architecture& architecture)
{
    Model model = encoderOf(config, kFnetDefaults, FourierMixer{});
    const Activation activation = get<DenseFfn>(blockIn(model).ffn).activation;
    model.head = encoderHead(config, architecture, activation, UnreadPooler::present);
    if (architecture.head == HeadKind::tokens) {
        config.fail("architectures",
                    std::string(architecture.name)
                        + " keeps a pooler that nothing reads, which is counted beside the masked "
                          "language model's head alone");
    }
    model.embedding.projection = Projection::biased;
    model.embedding.positionsBeforeProjection = true;
    config.ignoreNoting({"use_tpu_fourier_optimizations"},
                        "products with DFT matrices for the transform; an FFT is counted");
    config.ignore({"tpu_short_seq_length"});
    return model;
}

} // namespace

const Family& fnetFamily()
{
    static const Family kFamily{"fnet", "FNet", kFnetArchitectures, importFnet};
    return kFamily;
}

} // namespace flopsmith
