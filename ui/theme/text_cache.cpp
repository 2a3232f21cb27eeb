// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/text_cache.h"

#include <QCache>
#include <QFontMetricsF>
#include <QHash>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kMostTexts = 2000;

struct TextKey
{
    QString family;
    int pixels = 0;
    int weight = 0;
    QString text;

    bool operator==(const TextKey&) const = default;
};

std::size_t qHash(const TextKey& key, std::size_t seed = 0)
{
    return qHashMulti(seed, key.family, key.pixels, key.weight, key.text);
}

/// A line of text, shaped once.
struct ShapedText
{
    QStaticText glyphs;
    double width = 0.0;
    double height = 0.0;
};

ShapedText* shaped(const QFont& font, const QString& text)
{
    auto* shaped = new ShapedText; // the cache takes it
    shaped->glyphs.setTextFormat(Qt::PlainText);
    shaped->glyphs.setText(text);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    shaped->glyphs.setTextOption(option);
    shaped->glyphs.setPerformanceHint(QStaticText::AggressiveCaching);
    shaped->glyphs.prepare({}, font);
    const QFontMetricsF metrics(font);
    shaped->width = metrics.horizontalAdvance(text);
    shaped->height = metrics.height();
    return shaped;
}

const ShapedText& cached(const QFont& font, const QString& text)
{
    static QCache<TextKey, ShapedText> cache(kMostTexts);
    const TextKey key{font.family(), font.pixelSize(), font.weight(), text};
    if (const ShapedText* known = cache.object(key)) {
        return *known;
    }
    ShapedText* fresh = shaped(font, text);
    cache.insert(key, fresh);
    return *fresh;
}

QPointF topLeft(const QRectF& rect, Qt::Alignment alignment, const ShapedText& text)
{
    const double free = rect.width() - text.width;
    const double x = alignment.testFlag(Qt::AlignRight) ? rect.left() + free
        : alignment.testFlag(Qt::AlignHCenter)          ? rect.left() + free / 2
                                                        : rect.left();
    return {x, rect.center().y() - text.height / 2};
}

} // namespace

double textWidth(const QFont& font, const QString& text)
{
    return std::ceil(cached(font, text).width) + 1.0;
}

QString elided(const QFont& font, const QString& text, double width)
{
    return textWidth(font, text) <= width
        ? text
        : QFontMetricsF(font).elidedText(text, Qt::ElideRight, std::max(0.0, width - 1.0));
}

void drawText(QPainter& painter,
              const QRectF& rect,
              Qt::Alignment alignment,
              const QFont& font,
              const QString& text)
{
    painter.setFont(font);
    const bool onScreen = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (onScreen) {
        const ShapedText& known = cached(font, text);
        painter.drawStaticText(topLeft(rect, alignment, known), known.glyphs);
    } else {
        painter.drawText(
            rect, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, text);
    }
}

} // namespace flopsmith::ui
