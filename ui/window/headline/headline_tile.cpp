// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/headline/headline_tile.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QStyle>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kPadding = 16;
constexpr int kTop = 8;
constexpr int kGap = 8; ///< between figure and unit, text and what stands at its right
constexpr int kLeastCaption = 60;

} // namespace

HeadlineTile::HeadlineTile(HeadlineKind kind, const QString& accessibleName, QWidget* parent)
    : QAbstractButton(parent)
    , m_shown{.kind = kind}
    , m_name(accessibleName)
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("headline.") + fromUtf8(enumName(kind)));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_grid->setContentsMargins(kPadding, kTop, kPadding, kTop);
    m_grid->setSpacing(0);
    m_grid->setColumnStretch(0, 1);
    fitRows();
    tell();
}

void HeadlineTile::setFigure(const HeadlineFigure& figure, const QString& baseline)
{
    if (figure == m_shown && baseline == m_baseline) {
        return;
    }
    const QSize least = minimumSizeHint();
    m_shown = figure;
    m_baseline = baseline;
    tell();
    if (minimumSizeHint() != least) {
        updateGeometry();
    }
    update();
}

void HeadlineTile::setChooser(ChoiceChip& chooser)
{
    m_chooser = &chooser;
    chooser.setFlat(true);
    m_grid->addWidget(&chooser, 1, 0, Qt::AlignLeft | Qt::AlignVCenter);
}

void HeadlineTile::setButton(QPushButton& button)
{
    m_button = &button;
    m_grid->addWidget(&button, 0, 1, 2, 1, Qt::AlignRight | Qt::AlignVCenter);
}

// The same for screen readers and tool tips.
void HeadlineTile::tell()
{
    const QString figure =
        fromUtf8(m_shown.figure + (m_shown.unit.empty() ? "" : " " + m_shown.unit));
    QStringList all{figure, fromUtf8(m_shown.caption)};
    if (!m_shown.difference.empty()) {
        all << fromUtf8(m_shown.difference) + QLatin1Char(' ') + m_baseline;
    }
    setAccessibleName(m_name + QStringLiteral(": ") + all.join(QStringLiteral(", ")));
    all.first() = m_shown.exact.empty() ? figure : fromUtf8(m_shown.exact);
    setToolTip(m_name + QLatin1Char('\n') + all.join(QLatin1Char('\n')));
}

QFont HeadlineTile::figureFont() const
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 2.0);
    large.setWeight(QFont::Bold);
    return large;
}

QFont HeadlineTile::captionFont() const
{
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.92);
    return small;
}

int HeadlineTile::rightWidth() const
{
    if (m_button != nullptr) {
        return m_button->sizeHint().width() + kGap;
    }
    if (m_shown.difference.empty()) {
        return 0;
    }
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return std::max(QFontMetrics(strong).horizontalAdvance(fromUtf8(m_shown.difference)),
                    QFontMetrics(captionFont()).horizontalAdvance(m_baseline))
        + 2 * kGap;
}

int HeadlineTile::captionWidth() const
{
    const int chooser = m_chooser == nullptr ? 0 : m_chooser->sizeHint().width() + kGap;
    return chooser + QFontMetrics(captionFont()).horizontalAdvance(fromUtf8(m_shown.caption)) + 2;
}

int HeadlineTile::widthWith(int caption) const
{
    // By the number of its digits, so that the strip is not laid out again for each of them.
    const QString digits(fromUtf8(m_shown.figure).size(), QLatin1Char('0'));
    const int figure = QFontMetrics(figureFont()).horizontalAdvance(digits) + kGap
        + fontMetrics().horizontalAdvance(fromUtf8(m_shown.unit)) + 2;
    return 2 * kPadding + std::max(figure, caption) + rightWidth();
}

QSize HeadlineTile::minimumSizeHint() const
{
    return {widthWith(std::min(captionWidth(), scaledToType(kLeastCaption, *this))),
            sizeHint().height()};
}

QSize HeadlineTile::sizeHint() const
{
    return {widthWith(captionWidth()), captionLine().bottom() + 1 + kTop};
}

QRect HeadlineTile::textPlace() const
{
    return rect().adjusted(kPadding, 0, -kPadding, 0);
}

QRect HeadlineTile::figureLine() const
{
    return {textPlace().left(), kTop, textPlace().width(), QFontMetrics(figureFont()).height()};
}

QRect HeadlineTile::captionLine() const
{
    const int height = QFontMetrics(captionFont()).height() + 4;
    return {textPlace().left(), figureLine().bottom() + 1, textPlace().width(), height};
}

// Place for the two lines of text, beside and below which the children stand.
void HeadlineTile::fitRows()
{
    m_grid->setRowMinimumHeight(0, figureLine().height());
    m_grid->setRowMinimumHeight(1, captionLine().height());
}

bool HeadlineTile::event(QEvent* event)
{
    const bool done = QAbstractButton::event(event);
    if (event->type() == QEvent::FontChange) {
        fitRows();
    }
    return done;
}

void HeadlineTile::draw(QPainter& painter,
                        const QRect& place,
                        Qt::Alignment side,
                        const QString& text) const
{
    const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width());
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), place),
                     textFlags(side | Qt::AlignVCenter, text, layoutDirection())
                         | Qt::TextSingleLine,
                     shown);
}

// The unit stands on the figure's base line.
void HeadlineTile::drawFigure(QPainter& painter) const
{
    const QFontMetrics large(figureFont());
    const QString figure = fromUtf8(m_shown.figure);
    QRect place = figureLine().adjusted(0, 0, -rightWidth(), 0);
    painter.setFont(figureFont());
    painter.setPen(m_shown.unit.empty() ? systemTheme().mutedText : systemTheme().text);
    draw(painter, place, Qt::AlignLeft, figure);
    place.setLeft(place.left() + large.horizontalAdvance(figure) + kGap);
    place.translate(
        0,
        (large.ascent() - large.descent() - fontMetrics().ascent() + fontMetrics().descent()) / 2);
    painter.setFont(font());
    painter.setPen(systemTheme().mutedText);
    draw(painter, place, Qt::AlignLeft, fromUtf8(m_shown.unit));
}

void HeadlineTile::drawDifference(QPainter& painter) const
{
    if (m_shown.difference.empty() || m_button != nullptr) {
        return;
    }
    const Theme& theme = systemTheme();
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(m_shown.change == Change::less ? theme.positive : theme.text);
    draw(painter, figureLine(), Qt::AlignRight, fromUtf8(m_shown.difference));
    painter.setFont(captionFont());
    painter.setPen(theme.mutedText);
    draw(painter, captionLine(), Qt::AlignRight, m_baseline);
}

void HeadlineTile::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(theme.accent, 1.5) : QPen(theme.panelBorder));
    painter.setBrush(isDown() || underMouse() ? theme.field : theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 8, 8);
    drawFigure(painter);
    drawDifference(painter);
    QRect caption = captionLine().adjusted(0, 0, -rightWidth(), 0);
    if (m_chooser != nullptr) {
        caption.setLeft(caption.left() + m_chooser->width() + kGap);
    }
    painter.setFont(captionFont());
    painter.setPen(theme.mutedText);
    draw(painter, caption, Qt::AlignLeft, fromUtf8(m_shown.caption));
}

} // namespace flopsmith::ui

#include "moc_headline_tile.cpp"
