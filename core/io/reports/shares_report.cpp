// SPDX-License-Identifier: MIT
#include "core/io/reports/shares_report.h"

#include "core/base/field.h"
#include "core/base/text.h"
#include "core/json/json.h"

namespace flopsmith {
namespace {

Cell differenceCell(double difference)
{
    Cell cell = Cell::number(difference);
    cell.shown = differenceText(difference);
    return cell;
}

Cell reasonCell(ShareReason reason)
{
    Cell cell = Cell::text(std::string(enumName(reason)));
    cell.shown = reasonText(reason);
    return cell;
}

std::string titleOf(const PartShare& share)
{
    return share.title + (share.uses > 1 ? " \xC3\x97" + std::to_string(share.uses) : "");
}

} // namespace

Table sharesTable(std::span<const PartShare> shares, std::string caption)
{
    Table table{.caption = std::move(caption),
                .columns = {{"part", "part", Align::left},
                            {"path", "first at", Align::left},
                            {"flop_share", "of FLOPs"},
                            {"time_share", "of time"},
                            {"difference", "difference"},
                            {"seconds", "time"},
                            {"lower_bound_seconds", "at least"},
                            {"reason", "reason", Align::left},
                            {"why", "why", Align::left}}};
    for (const PartShare& share : shares) {
        std::vector<Cell> row{Cell::text(titleOf(share)), Cell::text(share.path)};
        if (share.seconds > 0.0) {
            row.insert(row.end(),
                       {Cell::share(share.flopShare),
                        Cell::share(share.timeShare),
                        differenceCell(share.difference()),
                        Cell::seconds(share.seconds)});
        } else {
            row.resize(row.size() + 4);
        }
        row.push_back(share.lowerBoundSeconds > 0.0 ? Cell::seconds(share.lowerBoundSeconds)
                                                    : Cell{});
        row.push_back(reasonCell(share.reason));
        row.push_back(Cell::text(share.sentence));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sharesJson(std::span<const PartShare> shares)
{
    Json json = Json::array();
    for (const PartShare& share : shares) {
        Json entry{{"path", share.path},
                   {"title", share.title},
                   {"component", std::string(share.component->id)},
                   {"uses", share.uses},
                   {"flops", share.flops},
                   {"bytes", share.bytes}};
        if (share.seconds > 0.0) {
            entry["seconds"] = share.seconds;
            entry["lower_bound_seconds"] = share.lowerBoundSeconds;
            entry["flop_share"] = share.flopShare;
            entry["time_share"] = share.timeShare;
            entry["reason"] = std::string(enumName(share.reason));
            entry["why"] = share.sentence;
        }
        json.push_back(std::move(entry));
    }
    return json;
}

} // namespace flopsmith
