// SPDX-License-Identifier: MIT
#include "core/present/inside/inside_shapes.h"

#include "core/ffn/ffn_variants.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith {
namespace {

OperationShape givesShape(const WireSize& rows, const WireSize& columns)
{
    return {.out = OperationShape::Out::given, .gives = {rows, columns}};
}

OperationShape keepsShape()
{
    return {.out = OperationShape::Out::asIn};
}

// Of a part of the columns that the operation before it gives.
OperationShape readingSome(OperationShape shape)
{
    shape.in = OperationShape::In::unknown;
    return shape;
}

OperationShape readingFrom(OperationShape shape, const WireSize& rows, const WireSize& columns)
{
    shape.in = OperationShape::In::given;
    shape.reads = {rows, columns};
    return shape;
}

WireSize sumOf(const WireSize& a, const WireSize& b)
{
    return {a.symbol + "+" + b.symbol, a.value + b.value};
}

WireSize bracketed(const WireSize& size)
{
    return {"(" + size.symbol + ")", size.value};
}

WireSize multipleOf(int factor, const WireSize& size)
{
    return WireSize{std::to_string(factor), factor} * size;
}

class MixerShapes
{
public:
    explicit MixerShapes(const PassSizes& sizes)
        : m_sizes(sizes)
    {}

    OperationShapes operator()(const NoMixer& /*mixer*/) const { return {}; }

    OperationShapes operator()(const Attention& attention) const
    {
        const WireSize heads{"H", attention.heads};
        const WireSize headDim{"h", attention.headDimFor(static_cast<int>(m_sizes.width.value))};
        const WireSize groups{"G", attention.kvHeads};
        const WireSize all = attention.kvHeads == attention.heads
            ? multipleOf(3, heads)
            : bracketed(sumOf(heads, multipleOf(2, groups)));
        OperationShapes shapes{{"qkv_proj", givesShape(m_sizes.tokens, all * headDim)},
                               {"q_norm", keepsShape()},
                               {"k_norm", keepsShape()},
                               {"rotary", keepsShape()},
                               {"soft_cap", keepsShape()},
                               {"position_bias", keepsShape()}};
        addCore(shapes, heads, heads * headDim, m_sizes.keys);
        return shapes;
    }

    OperationShapes operator()(const CrossAttention& attention) const
    {
        const WireSize heads{"H", attention.heads};
        const WireSize headDim{"h", attention.headDimFor(static_cast<int>(m_sizes.width.value))};
        const WireSize groups =
            attention.kvHeads == attention.heads ? heads : WireSize{"G", attention.kvHeads};
        OperationShape keys =
            readingFrom(givesShape(m_sizes.source, multipleOf(2, groups) * headDim),
                        m_sizes.source,
                        m_sizes.width);
        keys.source = "encoder";
        OperationShapes shapes{{"q_proj", givesShape(m_sizes.tokens, heads * headDim)},
                               {"kv_proj", keys}};
        addCore(shapes, heads, heads * headDim, m_sizes.sourceTokens);
        return shapes;
    }

    OperationShapes operator()(const LatentAttention& given) const
    {
        const LatentAttention attention = given.inStep(m_sizes.decodes);
        const WireSize heads{"H", attention.heads};
        const WireSize nope{"h_nope", attention.qkNopeDim};
        const WireSize rope{"h_rope", attention.qkRopeDim};
        const WireSize rank{"r_kv", attention.kvLoraRank};
        const WireSize value{"h_v", attention.vHeadDim};
        const WireSize& tokens = m_sizes.tokens;
        const OperationShape queries = givesShape(tokens, heads * bracketed(sumOf(nope, rope)));
        OperationShapes shapes{{"q_proj", queries},
                               {"q_a_proj", givesShape(tokens, {"r_q", attention.qLoraRank})},
                               {"q_norm", keepsShape()},
                               {"q_b_proj", queries},
                               {"kv_a_proj", givesShape(tokens, sumOf(rank, rope))},
                               {"kv_norm", keepsShape()}};
        if (attention.isAbsorbed()) {
            addCore(shapes, heads, heads * rank, m_sizes.keys);
            shapes["absorb_k"] =
                readingFrom(givesShape(tokens, heads * rank), tokens, heads * nope);
            shapes["absorb_v"] = givesShape(tokens, heads * value);
        } else {
            addCore(shapes, heads, heads * value, m_sizes.keys);
            const WireSize& latents = attention.cachesLatents() ? m_sizes.seen : tokens;
            shapes["k_b_proj"] = readingFrom(givesShape(latents, heads * nope), latents, rank);
            shapes["v_b_proj"] = readingFrom(givesShape(latents, heads * value), latents, rank);
        }
        return shapes;
    }

    OperationShapes operator()(const FourierMixer& /*mixer*/) const
    {
        const WireSize spectrum = multipleOf(2, {"F", m_sizes.width.value / 2 + 1});
        return {{"feature_fft", givesShape(m_sizes.tokens, spectrum)},
                {"token_fft", keepsShape()},
                {"real_part", givesShape(m_sizes.tokens, m_sizes.width)}};
    }

    OperationShapes operator()(const Mamba2& mixer) const
    {
        const WireSize heads{"H", mixer.heads};
        const WireSize inner = heads * WireSize{"h", mixer.headDim};
        const WireSize state = WireSize{"G", mixer.groups} * WireSize{"N", mixer.stateDim};
        const WireSize channels = bracketed(sumOf(inner, multipleOf(2, state)));
        const WireSize all =
            bracketed(sumOf(sumOf(multipleOf(2, inner), multipleOf(2, state)), heads));
        const WireSize& tokens = m_sizes.tokens;
        return {{"in_proj", givesShape(tokens, all)},
                {"conv", readingSome(givesShape(tokens, channels))},
                {"activation", keepsShape()},
                {"step", readingSome(givesShape(tokens, heads))},
                {"scan", readingSome(givesShape(tokens, inner))},
                {"gate_activation", readingSome(givesShape(tokens, inner))},
                {"gate", keepsShape()},
                {"norm", keepsShape()},
                {"out_proj", givesShape(tokens, m_sizes.width)}};
    }

private:
    void addCore(OperationShapes& shapes,
                 const WireSize& heads,
                 const WireSize& sums,
                 const WireSize& keys) const
    {
        shapes["scores"] = givesShape(heads * m_sizes.tokens, keys);
        shapes["softmax"] = keepsShape();
        shapes["weighted_sum"] = givesShape(m_sizes.tokens, sums);
        shapes["out_proj"] = givesShape(m_sizes.tokens, m_sizes.width);
    }

    const PassSizes& m_sizes;
};

class FfnShapes
{
public:
    FfnShapes(const WireSize& rows, const WireSize& width)
        : m_rows(rows)
        , m_width(width)
    {}

    OperationShapes operator()(const NoFfn& /*ffn*/) const { return {}; }

    OperationShapes operator()(const DenseFfn& ffn) const
    {
        return {{"c_fc", givesShape(m_rows, hidden(ffn.dFf))},
                {"activation", keepsShape()},
                {"c_proj", toWidth()}};
    }

    OperationShapes operator()(const GatedFfn& ffn) const
    {
        return {{"gate_proj", givesShape(m_rows, hidden(ffn.dFf))},
                {"up_proj", givesShape(m_rows, hidden(ffn.dFf))},
                {"activation", keepsShape()},
                {"gate", keepsShape()},
                {"down_proj", toWidth()}};
    }

    OperationShapes operator()(const LowRankFfn& ffn) const
    {
        const WireSize rank{"r", ffn.rank};
        return {{"c_fc_u", givesShape(m_rows, rank)},
                {"c_fc_v", givesShape(m_rows, hidden(ffn.dFf))},
                {"activation", keepsShape()},
                {"c_proj_u", givesShape(m_rows, rank)},
                {"c_proj_v", toWidth()}};
    }

    OperationShapes operator()(const MoeFfn& ffn) const
    {
        const OperationShape chosen = givesShape(m_rows, {"k", ffn.perToken});
        const bool scoresAll = ffn.scored == ScoredExperts::all;
        OperationShape dispatch = givesShape(WireSize{"k", ffn.perToken} * m_rows, m_width);
        dispatch.in = OperationShape::In::unknown; // the tokens and the choice
        return {{"router", givesShape(m_rows, {"E", ffn.experts})},
                {"score", scoresAll ? keepsShape() : chosen},
                {"select", chosen},
                {"weigh", keepsShape()},
                {"dispatch", dispatch},
                {"combine", toWidth()},
                {"shared_gate", givesShape(m_rows, {"1", 1})},
                {"open", toWidth()},
                {"sum", toWidth()}};
    }

    OperationShapes operator()(const SpectralFfn& ffn) const
    {
        const WireSize kept = multipleOf(2, {"k", ffn.kFreq});
        const WireSize spectrum =
            multipleOf(2, {"F", SpectralFfn::bins(static_cast<int>(m_width.value))});
        return {{"analysis", givesShape(m_rows, kept)},
                {"rfft", givesShape(m_rows, spectrum)},
                {"filter", givesShape(m_rows, kept)},
                {"synthesis", toWidth()},
                {"irfft", toWidth()},
                {"activation", keepsShape()}};
    }

    OperationShapes operator()(const PolynomialFfn& ffn) const
    {
        const WireSize kept{"s", ffn.keptChannels(static_cast<int>(m_width.value))};
        return {{"select", givesShape(m_rows, kept)}, {"polynomial", toWidth()}};
    }

    OperationShapes operator()(const RandomProjectionFfn& ffn) const
    {
        return {{"project_in", givesShape(m_rows, {"m", ffn.features})},
                {"activation", keepsShape()},
                {"gain", keepsShape()},
                {"project_out", toWidth()}};
    }

    OperationShapes operator()(const TokenFeedbackFfn& ffn) const
    {
        const WireSize rows = WireSize{"M", ffn.steps} * m_rows; // of all steps
        const WireSize kept{"s", ffn.keptFeatures(static_cast<int>(m_width.value))};
        return {{"select", givesShape(rows, kept)},
                {"down", givesShape(rows, {"r", ffn.rank})},
                {"activation", keepsShape()},
                {"up", givesShape(rows, kept)},
                {"gate", keepsShape()},
                {"difference", toWidth()}};
    }

    OperationShapes operator()(const MicroRefineFfn& ffn) const
    {
        const bool iterative = ffn.mode == MicroRefineMode::iterative;
        return {{"refine", iterative ? OperationShape{} : toWidth()}, {"difference", toWidth()}};
    }

    OperationShapes operator()(const KroneckerFfn& ffn) const
    {
        OperationShapes shapes{{"activation", keepsShape()}};
        addProducts(shapes,
                    ffn.up(static_cast<int>(m_width.value)),
                    {"c_fc_a", "c_fc_b"},
                    {"d_A", "d_B", "f_A", "f_B"},
                    hidden(ffn.dFf));
        addProducts(shapes,
                    ffn.down(static_cast<int>(m_width.value)),
                    {"c_proj_a", "c_proj_b"},
                    {"f_A", "f_B", "d_A", "d_B"},
                    m_width);
        return shapes;
    }

    OperationShapes operator()(const MonarchFfn& ffn) const
    {
        return {{"c_fc_first", toWidth()},
                {"c_fc_second", givesShape(m_rows, hidden(ffn.dFf))},
                {"activation", keepsShape()},
                {"c_proj_first", toWidth()},
                {"c_proj_second", toWidth()}};
    }

    OperationShapes operator()(const ComposedFfn& /*ffn*/) const
    {
        return {{"combine", toWidth()}, {"dropout", keepsShape()}};
    }

private:
    struct FactorNames
    {
        std::string inA;
        std::string inB;
        std::string outA;
        std::string outB;
    };

    // The order of both products is the cheaper one.
    void addProducts(OperationShapes& shapes,
                     const KroneckerMatrix& matrix,
                     const KroneckerNames& names,
                     const FactorNames& sizes,
                     const WireSize& out) const
    {
        const bool rightFirst = matrix.order() == KroneckerOrder::rightFirst;
        const WireSize rank{"R", matrix.a.rank};
        const WireSize between = rightFirst
            ? rank * WireSize{sizes.inA, matrix.a.in} * WireSize{sizes.outB, matrix.b.out}
            : rank * WireSize{sizes.outA, matrix.a.out} * WireSize{sizes.inB, matrix.b.in};
        shapes[std::string(rightFirst ? names.b : names.a)] = givesShape(m_rows, between);
        shapes[std::string(rightFirst ? names.a : names.b)] = givesShape(m_rows, out);
    }

    OperationShape toWidth() const { return givesShape(m_rows, m_width); }
    static WireSize hidden(int width) { return {"d_ff", width}; }

    const WireSize& m_rows;
    const WireSize& m_width;
};

} // namespace

std::string WireShape::symbols() const
{
    return "[" + rows.symbol + ", " + columns.symbol + "]";
}

std::string WireShape::numbers() const
{
    return "[" + digits(rows.value) + ", " + digits(columns.value) + "]";
}

WireSize operator*(const WireSize& a, const WireSize& b)
{
    return {a.symbol + "\xC2\xB7" + b.symbol, a.value * b.value};
}

PassSizes passSizes(const Scenario& scenario, Stack half)
{
    const Workload& workload = scenario.workload;
    const WireSize batch{"B", workload.batch};
    const bool encodes = half == Stack::encoder;
    const bool decodes = workload.phase == Phase::decode && !encodes;
    const int source = scenario.model.hasEncoder() ? scenario.sourceTokens() : scenario.keys();
    const WireSize sourceTokens{"S_src", source};
    const WireSize tokens = encodes ? sourceTokens : WireSize{"S", scenario.queryTokens()};
    const WireSize keys = decodes ? WireSize{"C", scenario.keys()} : tokens;
    return {.tokens = decodes ? batch : batch * tokens,
            .keys = keys,
            .seen = batch * keys,
            .sourceTokens = sourceTokens,
            .source = batch * sourceTokens,
            .width = {"d", scenario.model.dModel},
            .decodes = decodes && scenario.keys() > scenario.queryTokens()};
}

OperationShapes shapesInside(const MixerSpec& mixer, const PassSizes& sizes)
{
    return visit(MixerShapes(sizes), mixer);
}

OperationShapes shapesInside(const FfnSpec& ffn, const WireSize& rows, const WireSize& width)
{
    return visit(FfnShapes(rows, width), ffn);
}

} // namespace flopsmith
