// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text_cache.h"

#include "ui/theme/reading_order.h"

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

constexpr int kMaxTexts = 2000;
constexpr int kMaxFonts = 100;

struct TextKey
{
    QString family;
    double size = 0.0; ///< pixels, or points below 0
    int weight = 0;
    QString text;
    double maxWidth = 0.0; ///< of an elided text, otherwise 0

    bool operator==(const TextKey&) const = default;
};

std::size_t qHash(const TextKey& key, std::size_t seed = 0)
{
    return qHashMulti(seed, key.family, key.size, key.weight, key.text, key.maxWidth);
}

TextKey keyOf(const QFont& font, const QString& text, double maxWidth = 0.0)
{
    const double size = font.pixelSize() > 0 ? font.pixelSize() : -font.pointSizeF();
    return {font.family(), size, font.weight(), text, maxWidth};
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
    auto* shaped = new ShapedText; // owned by the cache
    shaped->glyphs.setTextFormat(Qt::PlainText);
    shaped->glyphs.setText(text);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    shaped->glyphs.setTextOption(option);
    shaped->glyphs.setPerformanceHint(QStaticText::AggressiveCaching);
    shaped->glyphs.prepare({}, font);
    shaped->width = shaped->glyphs.size().width();
    shaped->height = QFontMetricsF(font).height();
    return shaped;
}

const ShapedText& cached(const QFont& font, const QString& text)
{
    static QCache<TextKey, ShapedText> cache(kMaxTexts);
    const TextKey key = keyOf(font, text);
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

double unkernedWidth(const QFont& font, const QString& text)
{
    static QHash<TextKey, QHash<QChar, double>> widths; // of the characters of each font
    if (widths.size() > kMaxFonts) {
        widths.clear();
    }
    QHash<QChar, double>& known = widths[keyOf(font, {})];
    double width = 0.0;
    for (const QChar character : text) {
        auto place = known.constFind(character);
        if (place == known.constEnd()) {
            place = known.insert(character, QFontMetricsF(font).horizontalAdvance(character));
        }
        width += *place;
    }
    return std::ceil(width) + 1.0;
}

QString elided(const QFont& font, const QString& text, double width)
{
    if (textWidth(font, text) <= width) {
        return text;
    }
    static QCache<TextKey, QString> cache(kMaxTexts);
    const double maxWidth = std::max(0.0, width - 1.0);
    const TextKey key = keyOf(font, text, maxWidth);
    if (const QString* known = cache.object(key)) {
        return *known;
    }
    const QString cut = QFontMetricsF(font).elidedText(text, Qt::ElideRight, maxWidth);
    cache.insert(key, new QString(cut));
    return cut;
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
        painter.drawText(rect,
                         textFlags(alignment, text, Qt::LeftToRight) | Qt::TextSingleLine
                             | Qt::TextDontClip,
                         text);
    }
}

} // namespace flopsmith::ui
