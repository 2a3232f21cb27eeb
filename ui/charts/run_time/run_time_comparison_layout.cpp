// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kDeviceGap = 22.0;
constexpr double kPartGap = 5.0; ///< between the bars of two parts
constexpr double kTick = 1.6;

class ComparisonLayouter
{
public:
    ComparisonLayouter(const RunTimeComparison& comparison,
                       const QRectF& area,
                       const ChartStyle& style)
        : m_comparison(comparison)
        , m_area(area)
        , m_style(style)
    {
        for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
            if (comparison.columns[i].hasBars()) {
                m_lanes.push_back(i);
            }
        }
        m_lengths = longestBars();
    }

    RunTimeComparisonLayout layout()
    {
        const double top = placeDevices() + 6.0;
        const BarNotes notes(
            m_comparison.note, m_comparison.key, m_area.width(), noteSpace(top), m_style);
        double bottom = m_area.bottom() - notes.height();
        const std::vector<std::size_t> shown = chooseRows(bottom - top);
        if (m_layout.hidden > 0) {
            const double height = m_style.lineHeight(0.85);
            bottom -= height;
            m_layout.hiddenText = {QRectF(m_area.left(), bottom, m_area.width(), height),
                                   notes.hiddenText(m_layout.hidden)};
        }
        const double end = placeParts(shown, top, bottom);
        m_layout.notes = notes.below({m_area.left(), end});
        return std::move(m_layout);
    }

private:
    const std::vector<RunTimeRow>& rows() const { return m_comparison.columns.front().table.rows; }

    // The legend's entries run in lines; an entry wider than the area loses its last facts, and a
    // reason continues below. Returns its bottom.
    double placeDevices()
    {
        const double height = m_style.lineHeight() + 1.0;
        QPointF at = m_area.topLeft();
        for (std::size_t i = 0; i < m_comparison.columns.size(); ++i) {
            const double width = std::min(entryWidth(m_comparison.columns[i]), m_area.width());
            if (at.x() > m_area.left() && at.x() + width > m_area.right()) {
                at = {m_area.left(), at.y() + height};
            }
            if (at.y() + height > m_area.bottom()) {
                break;
            }
            m_layout.devices.push_back(entry(i, QRectF(at, QSizeF(width, height))));
            if (!m_comparison.columns[i].unavailable.empty()) {
                placeReason(m_layout.devices.back());
                at.ry() += m_layout.devices.back().rect.height() - height;
            }
            at.rx() += width + kDeviceGap;
        }
        return at.y() + height;
    }

    // After the state, or in two lines below, as long as the bars keep most of the height. A long
    // reason loses its first clauses, which repeat the entry: "No such file" comes last.
    void placeReason(RunTimeComparisonLayout::Device& device) const
    {
        const QString between = QStringLiteral(": ");
        const QFont font = m_style.font(kLegendTextSize);
        const double line = m_style.lineHeight(kLegendTextSize);
        const double left = device.name.left();
        const bool low = device.rect.bottom() + 2.0 * line > m_area.top() + 0.5 * m_area.height();
        QStringList clauses = toQt(m_comparison.columns[device.column].unavailable).split(between);
        for (; !clauses.isEmpty(); clauses.removeFirst()) {
            const QString reason = clauses.join(between);
            if (textWidth(font, reason) <= device.more.front().rect.width()) {
                device.more.front().text = reason;
                return;
            }
            const QStringList lines = wrappedLines(reason, font, m_area.right() - left);
            if (!low && lines.size() <= 2) {
                device.more.clear();
                for (const QString& text : lines) {
                    const double y = device.rect.bottom();
                    device.more.push_back({QRectF(left, y, m_area.right() - left, line), text});
                    device.rect.setBottom(y + line);
                }
                return;
            }
        }
    }

    double nameWidth(const RunTimeColumn& column) const
    {
        return textWidth(m_style.font(0.95, QFont::DemiBold), toQt(column.device));
    }

    double totalWidth(const RunTimeColumn& column) const
    {
        return textWidth(m_style.font(0.95), toQt(column.totalText));
    }

    double entryWidth(const RunTimeColumn& column) const
    {
        const QFont font = m_style.font(kLegendTextSize);
        const double more = textWidth(font, factsLine(moreFacts(column), font, 1e9));
        return kFlowSwatch + kFlowSwatchGap + nameWidth(column) + kFlowSwatchGap
            + totalWidth(column) + (more > 0.0 ? kFlowSwatchGap + more : 0.0);
    }

    RunTimeComparisonLayout::Device entry(std::size_t index, const QRectF& rect) const
    {
        const RunTimeColumn& column = m_comparison.columns[index];
        RunTimeComparisonLayout::Device device{.column = index, .rect = rect};
        device.swatch =
            QRectF(rect.left(), rect.center().y() - kFlowSwatch / 2, kFlowSwatch, kFlowSwatch);
        double x = rect.left() + kFlowSwatch + kFlowSwatchGap;
        const auto take = [&](double width) {
            const QRectF box(
                x, rect.top(), std::clamp(rect.right() - x, 0.0, width), rect.height());
            x += width + kFlowSwatchGap;
            return box;
        };
        device.name = take(nameWidth(column));
        device.total = take(totalWidth(column));
        const QFont font = m_style.font(kLegendTextSize);
        const double width = rect.right() - x;
        const QString more = factsLine(moreFacts(column), font, width);
        const double needed = textWidth(font, more);
        if (needed <= width || !column.unavailable.empty()) { // a reason is placed separately
            device.more.push_back({take(needed), more});
        }
        return device;
    }

    double lane() const { return m_style.lineHeight(kRunTimeValueSize) - 2.0; }

    double minPartHeight() const
    {
        return std::max(static_cast<double>(m_lanes.size()) * lane() + kPartGap,
                        m_style.lineHeight(0.92));
    }

    // The remaining height.
    BarNotes::Space noteSpace(double top) const
    {
        const double height =
            m_area.bottom() - top - static_cast<double>(rows().size()) * minPartHeight();
        return {.comfortable = height, .minimum = height};
    }

    // Of each row.
    std::vector<double> longestBars() const
    {
        std::vector<double> lengths(rows().size());
        for (const std::size_t lane : m_lanes) {
            for (std::size_t row = 0; row < lengths.size(); ++row) {
                const RunTimeRow& each = m_comparison.columns[lane].table.rows[row];
                lengths[row] = std::max({lengths[row], each.seconds, each.lowerBoundSeconds});
            }
        }
        return lengths;
    }

    // All parts, or those with the longest bars, in the order of the model.
    std::vector<std::size_t> chooseRows(double height)
    {
        const double line = m_style.lineHeight(kSmallTextSize);
        const auto fitting = [this](double room) {
            return room < minPartHeight() ? 0 : fittingRows(room, minPartHeight());
        };
        const std::size_t all = rows().size();
        const std::size_t shown =
            all <= fitting(height) ? all : std::min(all - 1, fitting(height - line));
        m_layout.hidden = height >= line ? all - shown : 0;
        return longestRows(m_lengths, shown);
    }

    double placeParts(const std::vector<std::size_t>& shown, double top, double bottom)
    {
        if (shown.empty() || m_lanes.empty()) {
            return top;
        }
        const auto count = static_cast<double>(shown.size());
        const double maxHeight =
            static_cast<double>(m_lanes.size()) * 1.7 * m_style.textPixels + 12.0;
        const double height = std::clamp((bottom - top) / count, minPartHeight(), maxHeight);
        chooseWidths(shown);
        double y = top;
        for (const std::size_t row : shown) {
            const QRectF rect(m_area.left(), y, m_area.width(), height);
            m_layout.parts.push_back({row, rect, QRectF(rect.left(), y, m_labels, height)});
            placeBars(row, rect);
            y += height;
        }
        return y;
    }

    void chooseWidths(const std::vector<std::size_t>& shown)
    {
        const QFont small = m_style.font(kRunTimeValueSize);
        const QFont bold = m_style.font(kRunTimeValueSize, QFont::DemiBold);
        const double longestBar = *std::max_element(m_lengths.begin(), m_lengths.end());
        m_labels = widestText(shown, m_style.font(kRowTextSize), [this](std::size_t row) {
            return toQt(rows()[row].titleText);
        });
        double ratios = 0.0;
        for (const std::size_t lane : m_lanes) {
            const RunTimeColumn& column = m_comparison.columns[lane];
            const double values = widestText(shown, bold, [&column](std::size_t row) {
                return toQt(column.table.rows[row].timeText);
            });
            m_values = std::max(m_values, values);
            if (lane != 0) {
                const auto ratioOf = [&](std::size_t row) {
                    return toQt(ratioText(column.ratios[row]));
                };
                ratios = std::max(ratios, widestText(shown, small, ratioOf));
            }
        }
        m_labels = std::min(m_labels, 0.4 * m_area.width());
        m_barLeft = m_area.left() + m_labels + kCellGap;
        double width = m_area.right() - m_barLeft - kCellGap - m_values;
        m_ratios =
            ratios > 0.0 && width - kCellGap - ratios >= 0.25 * m_area.width() ? ratios : 0.0;
        width = std::max(8.0, width - (m_ratios > 0.0 ? kCellGap + m_ratios : 0.0));
        m_layout.pixelsPerSecond =
            longestBar > 0.0 && std::isfinite(longestBar) ? width / longestBar : 0.0;
    }

    void placeBars(std::size_t row, const QRectF& part)
    {
        const auto count = static_cast<double>(m_lanes.size());
        const double height =
            std::min((part.height() - kPartGap) / count, 1.4 * m_style.textPixels);
        double y = part.center().y() - height * count / 2;
        for (const std::size_t lane : m_lanes) {
            const RunTimeRow& from = m_comparison.columns[lane].table.rows[row];
            RunTimeComparisonLayout::Bar bar{
                .row = row, .column = lane, .rect = {part.left(), y, part.width(), height}};
            const double thick = std::clamp(height * 0.62, 4.0, 13.0);
            const double top = bar.rect.center().y() - thick / 2;
            double end = m_barLeft;
            if (from.seconds > 0.0) {
                const double length = from.seconds * m_layout.pixelsPerSecond;
                bar.measured = QRectF(m_barLeft, top, std::max(kMinBar, length), thick);
                end = bar.measured.right();
            }
            if (from.lowerBoundSeconds > 0.0) {
                const double at = m_barLeft + from.lowerBoundSeconds * m_layout.pixelsPerSecond;
                bar.bound = QRectF(at - kTick / 2, top - 1.5, kTick, thick + 3.0);
                end = std::max(end, bar.bound.right());
            }
            const double after = end + 0.7 * kCellGap;
            bar.value = QRectF(after, y, std::clamp(m_area.right() - after, 0.0, m_values), height);
            if (m_ratios > 0.0 && lane != 0) {
                bar.ratio = QRectF(m_area.right() - m_ratios, y, m_ratios, height);
            }
            m_layout.bars.push_back(bar);
            y += height;
        }
    }

    const RunTimeComparison& m_comparison;
    QRectF m_area;
    const ChartStyle& m_style;
    std::vector<std::size_t> m_lanes; ///< columns with bars
    std::vector<double> m_lengths; ///< of the longest bar of each row, in seconds
    double m_labels = 0.0;
    double m_values = 0.0;
    double m_ratios = 0.0;
    double m_barLeft = 0.0;
    RunTimeComparisonLayout m_layout;
};

} // namespace

RunTimeComparisonLayout runTimeComparisonLayout(const RunTimeComparison& comparison,
                                                const QRectF& area,
                                                const ChartStyle& style)
{
    return comparison.columns.empty() ? RunTimeComparisonLayout{}
                                      : ComparisonLayouter(comparison, area, style).layout();
}

} // namespace flopsmith::ui
