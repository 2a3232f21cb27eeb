// SPDX-License-Identifier: MIT
#include "core/present/stack/landing.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr double kWidestEdge = 14.0; // of a row, leading before its first or behind its last block
constexpr double kBeside = 3.0; // from a row to the line of a gap that does not touch two rows
constexpr int kScrollEdge = 24; // from the edge of a view
constexpr int kFastestScroll = 16;

double landingEdge(const LandingRow& row)
{
    return std::min((row.bottom - row.top) / 4.0, kWidestEdge);
}

int landingIn(const LandingRow& row, double y)
{
    const double middle = (row.top + row.bottom) / 2.0;
    if (row.blocks < 2) {
        return row.first + (row.blocks == 1 && y >= middle ? 1 : 0);
    }
    const double inner = row.bottom - row.top - 2.0 * landingEdge(row);
    const double share = inner > 0.0 ? (y - row.top - landingEdge(row)) / inner : -1.0;
    if (share < 0.0 || share >= 1.0) {
        return y < middle ? row.first : row.first + row.blocks;
    }
    const int between = static_cast<int>(share * (row.blocks - 1));
    return row.first + 1 + std::min(between, row.blocks - 2);
}

// The rows of blocks that end and begin at a gap; null if there is none.
struct Neighbours
{
    const LandingRow* upper = nullptr;
    const LandingRow* lower = nullptr;
};

Neighbours neighboursOf(const std::vector<LandingRow>& rows, int gap)
{
    Neighbours found;
    for (const LandingRow& row : rows) {
        if (row.blocks > 0 && row.first + row.blocks == gap) {
            found.upper = &row;
        }
        if (row.blocks > 0 && row.first == gap) {
            found.lower = &row;
        }
    }
    return found;
}

} // namespace

int landingAt(const std::vector<LandingRow>& rows, double y)
{
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        if (y < (rows[i].bottom + rows[i + 1].top) / 2.0) {
            return landingIn(rows[i], y);
        }
    }
    return rows.empty() ? 0 : landingIn(rows.back(), y);
}

std::optional<int> gapBetweenRows(const std::vector<LandingRow>& rows, double y, double reach)
{
    const auto inside = [reach](const LandingRow& row) {
        return std::min(reach, (row.bottom - row.top) / 4.0);
    };
    for (std::size_t i = 0; i <= rows.size(); ++i) {
        const LandingRow* upper = i > 0 ? &rows[i - 1] : nullptr;
        const LandingRow* lower = i < rows.size() ? &rows[i] : nullptr;
        const bool touches =
            (upper != nullptr && upper->blocks > 0) || (lower != nullptr && lower->blocks > 0);
        if (!touches) {
            continue;
        }
        const double top = upper != nullptr ? upper->bottom - inside(*upper) : lower->top - reach;
        const double bottom =
            lower != nullptr ? lower->top + inside(*lower) : upper->bottom + reach;
        if (y >= top && y < bottom) {
            return lower != nullptr ? lower->first : upper->first + upper->blocks;
        }
    }
    return std::nullopt;
}

int blocksAt(const std::vector<LandingRow>& rows, double y)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].blocks > 0 && y >= rows[i].top && y < rows[i].bottom) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

double landingLine(const std::vector<LandingRow>& rows, int gap, bool behindUpper)
{
    for (const LandingRow& row : rows) {
        if (gap > row.first && gap < row.first + row.blocks) {
            return landingScale(row)[static_cast<std::size_t>(gap - row.first - 1)];
        }
    }
    const auto [upper, lower] = neighboursOf(rows, gap);
    if (upper != nullptr && lower == upper + 1) {
        return (upper->bottom + lower->top) / 2.0;
    }
    if (upper != nullptr && (behindUpper || lower == nullptr)) {
        return upper->bottom + kBeside;
    }
    return lower != nullptr ? lower->top - kBeside : 0.0;
}

std::vector<double> landingScale(const LandingRow& row)
{
    std::vector<double> heights;
    const double inner = row.bottom - row.top - 2.0 * landingEdge(row);
    for (int between = 0; between + 1 < row.blocks; ++between) {
        heights.push_back(row.top + landingEdge(row) + inner * (between + 0.5) / (row.blocks - 1));
    }
    return heights;
}

int edgeScroll(int y, int height)
{
    const int edge = std::min(kScrollEdge, height / 4);
    const int above = edge - y;
    const int below = y - (height - 1 - edge);
    if (above > 0) {
        return -std::min(above, kFastestScroll);
    }
    return below > 0 ? std::min(below, kFastestScroll) : 0;
}

} // namespace flopsmith
