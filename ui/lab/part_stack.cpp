// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/part_stack.h"

#include "core/count/component.h"
#include "core/mixer/mixer.h"
#include "ui/charts/base/drawing.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kBarHeight = 6;
constexpr double kDecades = 3.0; ///< that the bars span, down from the strongest part
constexpr int kMinBarWidth = 48;
constexpr int kThinBarHeight = 3;
constexpr int kThinHeight = 7; ///< of a line with such a bar
constexpr int kFrameGap = 6; ///< which the line between two frames spans
constexpr int kPadding = 4; ///< above and below the parts of a frame
constexpr int kSide = 9; ///< beside them
constexpr int kColumnGap = 10;
constexpr int kEdge = 4; ///< the strip in the colour of the component
constexpr qreal kRadius = 6.0;

QString normText(double norm, int digits = 2)
{
    return std::isfinite(norm) ? QString::number(norm, 'g', digits) : QStringLiteral("–");
}

// "blocks[3]" of "blocks[3]/ffn"; empty of a part that is in no block.
QString blockOf(const QString& path)
{
    const auto slash = path.indexOf(QLatin1Char('/'));
    return path.startsWith(QLatin1String("blocks[")) && slash > 0 ? path.left(slash) : QString();
}

QString numberOf(const QString& block)
{
    const auto open = block.indexOf(QLatin1Char('['));
    return QString::number(block.mid(open + 1, block.size() - open - 2).toInt() + 1);
}

QString capital(QString name)
{
    name.replace(QLatin1Char('_'), QLatin1Char(' '));
    return name.isEmpty() ? name : name.left(1).toUpper() + name.mid(1);
}

const Component* mixerComponent(const QString& id)
{
    for (const MixerSpec& mixer : mixerPrototypes()) {
        if (toQt(info(mixer).id) == id) {
            return info(mixer).component;
        }
    }
    return &kNormComponent;
}

StackPartNorm namedPart(const PartNorm& part, const FfnSpec& ffn, bool isModel)
{
    const QString path = toQt(part.part);
    const QString block = blockOf(path);
    const QString name = block.isEmpty() ? path : path.mid(block.size() + 1);
    StackPartNorm named{.title = isModel ? capital(name) : path.section(QLatin1Char('/'), -1),
                        .path = path,
                        .component = info(ffn).component,
                        .norm = part.norm};
    if (!isModel) {
        return named;
    }
    if (name.endsWith(QLatin1String("norm"))) {
        named.component = &kNormComponent;
        named.isThin = !block.isEmpty();
    } else if (name == QLatin1String("embedding")) {
        named.component = &kEmbeddingComponent;
    } else if (name == QLatin1String("ffn")) {
        named.title = toQt(info(ffn).title);
    } else if (name.startsWith(QLatin1String("ffn/"))) { // one of several stages
        named.title = name.section(QLatin1Char('/'), -1);
    } else {
        named.component = block.isEmpty() ? &kHeadComponent : mixerComponent(name);
    }
    return named;
}

} // namespace

std::vector<PartFrame> partFrames(const std::vector<PartNorm>& parts, const FfnSpec& ffn)
{
    const bool isModel = std::ranges::any_of(
        parts, [](const PartNorm& part) { return !blockOf(toQt(part.part)).isEmpty(); });
    std::vector<PartFrame> frames;
    QString before;
    for (const PartNorm& part : parts) {
        const QString block = blockOf(toQt(part.part));
        const bool goesOn =
            !frames.empty() && (isModel ? !block.isEmpty() && block == before : true);
        if (!goesOn) {
            frames.push_back({.label = block.isEmpty() ? QString() : numberOf(block), .parts = {}});
        }
        frames.back().parts.push_back(namedPart(part, ffn, isModel));
        before = block;
    }
    return frames;
}

/// Where the columns of the parts stand, from the left.
struct PartStack::Columns
{
    int titles = 0;
    int titleWidth = 0;
    int bars = 0;
    int barWidth = 0;
    int values = 0;
    int valueWidth = 0;
};

PartStack::PartStack(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("lab.parts"));
    setAccessibleName(tr("Norms of the gradients of each part of the stack"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PartStack::setParts(const std::vector<PartNorm>& parts, const FfnSpec& ffn)
{
    const int before = sizeHint().height();
    m_frames = partFrames(parts, ffn);
    m_max = 0.0;
    QStringList spoken;
    for (const PartNorm& part : parts) {
        m_max = std::isfinite(part.norm) ? std::max(m_max, part.norm) : m_max;
        spoken << toQt(part.part) + QLatin1Char(' ') + normText(part.norm);
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    if (sizeHint().height() != before) {
        updateGeometry();
    }
    update();
}

int PartStack::lineHeight() const
{
    return fontMetrics().height() + 1;
}

int PartStack::heightOf(const StackPartNorm& part) const
{
    return part.isThin ? kThinHeight : lineHeight();
}

int PartStack::frameHeight(const PartFrame& frame) const
{
    int height = 2 * kPadding;
    for (const StackPartNorm& part : frame.parts) {
        height += heightOf(part);
    }
    return height;
}

QSize PartStack::sizeHint() const
{
    int height = m_frames.empty() ? 0 : lineHeight(); // of the scale
    for (const PartFrame& frame : m_frames) {
        height += frameHeight(frame) + kFrameGap;
    }
    return {260, height};
}

QSize PartStack::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

double PartStack::shareOf(double norm) const
{
    if (!(norm > 0.0) || !std::isfinite(norm)) {
        return 0.0;
    }
    return std::clamp(1.0 + std::log10(norm / m_max) / kDecades, 0.0, 1.0);
}

QRect PartStack::mirrored(const QRect& place) const
{
    return QStyle::visualRect(layoutDirection(), rect(), place);
}

PartStack::Columns PartStack::columns() const
{
    int label = 0;
    Columns at;
    for (const PartFrame& frame : m_frames) {
        label = std::max(label, fontMetrics().horizontalAdvance(frame.label));
        for (const StackPartNorm& part : frame.parts) {
            at.titleWidth =
                std::max(at.titleWidth, fontMetrics().horizontalAdvance(part.title) + 1);
            at.valueWidth =
                std::max(at.valueWidth, fontMetrics().horizontalAdvance(normText(part.norm)) + 1);
        }
    }
    at.titles = kSide + (label > 0 ? label + kColumnGap : 0) + kEdge + 7;
    at.values = width() - kSide - at.valueWidth;
    at.titleWidth = std::min(at.titleWidth, at.values - 2 * kColumnGap - kMinBarWidth - at.titles);
    at.bars = at.titles + at.titleWidth + kColumnGap;
    at.barWidth = std::max(0, at.values - kColumnGap - at.bars);
    return at;
}

void PartStack::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Columns at = columns();
    int y = 0;
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        if (i > 0) {
            painter.setPen(QPen(theme.mutedText, 1.0));
            painter.drawLine(QPointF(width() / 2.0, y - kFrameGap), QPointF(width() / 2.0, y));
        }
        paintFrame(painter, m_frames[i], y, at);
        y += frameHeight(m_frames[i]) + kFrameGap;
    }
    if (!m_frames.empty()) {
        paintScale(painter, y - kFrameGap + 3);
    }
}

void PartStack::paintFrame(QPainter& painter,
                           const PartFrame& frame,
                           int top,
                           const Columns& at) const
{
    const Theme& theme = systemTheme();
    const QRect box(0, top, width(), frameHeight(frame));
    painter.setPen(QPen(theme.fieldBorder, 1.0));
    painter.setBrush(theme.field);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter.setPen(theme.mutedText);
    painter.drawText(mirrored({kSide, top, at.titles - kSide, box.height()}),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     frame.label);
    int y = top + kPadding;
    for (const StackPartNorm& part : frame.parts) {
        paintPart(painter, part, y, at);
        y += heightOf(part);
    }
}

void PartStack::paintPart(QPainter& painter,
                          const StackPartNorm& part,
                          int top,
                          const Columns& at) const
{
    const Theme& theme = systemTheme();
    const int height = heightOf(part);
    const int thickness = part.isThin ? kThinBarHeight : kBarHeight;
    const QColor own = colour(*part.component);
    const auto fill = [&](const QRect& place, const QColor& inside, qreal radius) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(inside);
        painter.drawRoundedRect(QRectF(mirrored(place)), radius, radius);
    };
    const QRect groove(at.bars, top + (height - thickness) / 2, at.barWidth, thickness);
    fill(groove, theme.groove, thickness / 2.0);
    QRect bar = groove;
    bar.setWidth(static_cast<int>(std::lround(at.barWidth * shareOf(part.norm))));
    if (bar.width() > 0) {
        fill(bar, own, std::min(thickness, bar.width()) / 2.0);
    }
    if (part.isThin) {
        return;
    }
    fill({at.titles - kEdge - 7, top + 2, kEdge, height - 4}, own, kEdge / 2.0);
    painter.setPen(theme.text);
    painter.drawText(mirrored({at.titles, top, at.titleWidth, height}),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(part.title, Qt::ElideRight, at.titleWidth));
    painter.setPen(theme.mutedText);
    painter.drawText(mirrored({at.values, top, at.valueWidth, height}),
                     Qt::AlignRight | Qt::AlignVCenter,
                     normText(part.norm));
}

// What the bars say, which is the same for all parts.
void PartStack::paintScale(QPainter& painter, int top) const
{
    painter.setPen(systemTheme().mutedText);
    const bool hasThin = std::ranges::any_of(m_frames, [](const PartFrame& frame) {
        return std::ranges::any_of(frame.parts, &StackPartNorm::isThin);
    });
    const QString text =
        hasThin ? tr("bars: log |g|, 3 decades; thin: norms") : tr("bars: log |g|, 3 decades");
    const QRect place(kSide, top, width() - 2 * kSide, lineHeight());
    painter.drawText(mirrored(place),
                     Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
}

const StackPartNorm* PartStack::partAt(int y) const
{
    int top = 0;
    for (const PartFrame& frame : m_frames) {
        top += kPadding;
        for (const StackPartNorm& part : frame.parts) {
            if (y >= top && y < top + heightOf(part)) {
                return &part;
            }
            top += heightOf(part);
        }
        top += kPadding + kFrameGap;
    }
    return nullptr;
}

bool PartStack::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const StackPartNorm* part = partAt(help->pos().y());
    QToolTip::showText(
        help->globalPos(),
        part == nullptr
            ? QString()
            : tr("%1: the norm of its gradients is %2").arg(part->path, normText(part->norm, 4)),
        this);
    return true;
}

} // namespace flopsmith::ui

#include "moc_part_stack.cpp"
