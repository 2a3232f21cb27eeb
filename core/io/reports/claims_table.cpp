// SPDX-License-Identifier: MIT
#include "core/io/reports/claims_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace flopsmith {
namespace {

Cell ratioCell(double ratio)
{
    Cell cell = Cell::number(ratio);
    cell.shown = timesText(ratio);
    return cell;
}

Cell optionalRatio(const std::optional<double>& ratio)
{
    return ratio ? ratioCell(*ratio) : Cell{};
}

// A percentage if the quantity is a share of the peak, otherwise "13.7×".
Cell quantityCell(const Claim& claim, const std::optional<double>& quantity)
{
    if (!quantity || !std::isfinite(*quantity)) {
        return {};
    }
    return claim.sense == ClaimSense::shareOfPeak ? Cell::share(*quantity) : ratioCell(*quantity);
}

MeasuredClaim at(const std::vector<MeasuredClaim>& measured, std::size_t i)
{
    return i < measured.size() ? measured[i] : MeasuredClaim{};
}

LearnedClaim at(const std::vector<LearnedClaim>& learned, std::size_t i)
{
    return i < learned.size() ? learned[i] : LearnedClaim{};
}

Cell optionalText(const std::string& text)
{
    return text.empty() ? Cell{} : Cell::text(text);
}

// A verdict's parts, each of which has a line of its own.
std::vector<std::string> parts(std::string_view sentence)
{
    std::vector<std::string> found;
    while (!sentence.empty()) {
        const std::size_t end = std::min(sentence.find("; "), sentence.size());
        found.push_back((found.empty() ? "Trained as " : "  ")
                        + std::string(sentence.substr(0, end)));
        sentence.remove_prefix(std::min(end + 2, sentence.size()));
    }
    return found;
}

Cell gainCell(const LearnedClaim& learned)
{
    return learned.verdict == LearnedVerdict::notTried ? Cell{} : Cell::number(learned.gain);
}

Cell gainWidthCell(const LearnedClaim& learned)
{
    return learned.verdict == LearnedVerdict::notTried ? Cell{} : Cell::number(learned.halfWidth);
}

Cell fixedCell(const Claim& claim)
{
    return Cell::parameters(claim.subject.cost.parameters.fixed);
}

} // namespace

Table claimsTable(const std::vector<Claim>& all,
                  const std::vector<MeasuredClaim>& measured,
                  const std::vector<LearnedClaim>& learned)
{
    Table table{.columns = {{"id", "id", Align::left},
                            {"claim", "claim", Align::left},
                            {"note", "note", Align::left},
                            {"says", "says", Align::left},
                            {"claimed", "claimed", Align::left},
                            {"counted", "counted"},
                            {"measured", "measured"},
                            {"verdict", "verdict", Align::left},
                            {"finding", "finding", Align::left},
                            {"settings", "settings", Align::left},
                            {"reference", "reference", Align::left},
                            {"flops", "FLOPs"},
                            {"flops_ratio", "fewer FLOPs"},
                            {"params", "parameters"},
                            {"fixed_params", "fixed parameters"},
                            {"params_ratio", "fewer parameters"},
                            {"bytes", "bytes"},
                            {"bytes_ratio", "fewer bytes"},
                            {"speed_up", "faster"},
                            {"learns", "learns?", Align::left},
                            {"learned_gain", "gain over no FFN"},
                            {"learned_gain_half_width", ""},
                            {"learned", "learned", Align::left},
                            {"learned_run", "run", Align::left}}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Claim& claim = all[i];
        const MeasuredClaim found = at(measured, i);
        const LearnedClaim taught = at(learned, i);
        table.rows.push_back({Cell::text(claim.id),
                              Cell::text(claim.title),
                              Cell::text(claim.note),
                              Cell::text(claim.says),
                              Cell::text(claim.range.text()),
                              quantityCell(claim, claim.counted),
                              quantityCell(claim, found.quantity),
                              Cell::text(std::string(claimVerdictName(claim.verdict))),
                              Cell::text(claim.sentence),
                              Cell::text(claim.parameters),
                              Cell::text(claim.reference.name),
                              Cell::count(claim.subject.flops()),
                              ratioCell(claim.flopsRatio()),
                              Cell::parameters(claim.subject.cost.parameters.trainable),
                              fixedCell(claim),
                              ratioCell(claim.parameterRatio()),
                              Cell::bytes(claim.subject.bytes()),
                              ratioCell(claim.bytesRatio()),
                              optionalRatio(found.speedUp),
                              optionalText(taught.text),
                              gainCell(taught),
                              gainWidthCell(taught),
                              optionalText(taught.sentence),
                              optionalText(taught.run)});
    }
    return table;
}

Table claimsTableForPeople(const std::vector<Claim>& all,
                           const std::vector<MeasuredClaim>& measured,
                           const std::vector<LearnedClaim>& learned)
{
    Table table{.columns = {{"claim", "claim", Align::left},
                            {"claimed", "claimed"},
                            {"counted", "counted"},
                            {"measured", "measured"},
                            {"flops_ratio", "fewer FLOPs"},
                            {"params_ratio", "parameters"},
                            {"bytes_ratio", "bytes"},
                            {"speed_up", "faster"},
                            {"learns", "learns?", Align::left}}};
    const auto remark = [&table](const std::string& text) {
        std::vector<Cell> row(table.columns.size());
        row[0] = Cell::text(text);
        row[0].indent = 1;
        row[0].spans = true;
        table.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Claim& claim = all[i];
        const MeasuredClaim found = at(measured, i);
        const bool compares = claim.sense != ClaimSense::shareOfPeak;
        table.rows.push_back({Cell::text(claim.title),
                              Cell::text(claim.range.text()),
                              quantityCell(claim, claim.counted),
                              quantityCell(claim, found.quantity),
                              compares ? ratioCell(claim.flopsRatio()) : Cell{},
                              compares ? ratioCell(claim.parameterRatio()) : Cell{},
                              compares ? ratioCell(claim.bytesRatio()) : Cell{},
                              optionalRatio(found.speedUp),
                              optionalText(at(learned, i).text)});
        remark(claim.sentence);
        for (const std::string& part : parts(at(learned, i).sentence)) {
            remark(part);
        }
        remark(claim.parameters);
    }
    return table;
}

} // namespace flopsmith
