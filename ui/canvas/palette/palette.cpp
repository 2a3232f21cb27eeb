// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/palette/palette.h"

#include "ui/canvas/drag/drag_painter.h"
#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"
#include "ui/widgets/explain/explainer.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kEntryHeight = 25;
constexpr int kEntryEdge = 3;
constexpr int kTextLeft = 12;
constexpr int kTextRight = 6;
constexpr int kScrollBar = 10; ///< as the style sheet draws it
constexpr qreal kEntryRadius = 4.0;

QString useText(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::mixer: return Palette::tr("replace the token mixer");
    case PaletteKind::ffn: return Palette::tr("replace the FFN");
    case PaletteKind::stage: return Palette::tr("add a stage to the FFN");
    }
    return {};
}

// Two letters that no entry before it has, as chemists name elements: "De", "Mi", "Mo".
QString lettersOf(const QString& title, QStringList& taken)
{
    for (qsizetype second = 1; second < title.size(); ++second) {
        const QString letters = title.left(1).toUpper() + title[second].toLower();
        if (title[second].isLetter() && !taken.contains(letters)) {
            taken << letters;
            return letters;
        }
    }
    return title.left(2);
}

QString toolTipOf(const PaletteEntry& entry)
{
    const QString text = entry.title + QStringLiteral(": ") + entry.help + QLatin1Char('\n')
        + Palette::tr(
              "Click to %1 of the selected blocks, or drag it onto blocks; between two rows it "
              "becomes a block of its own.")
              .arg(useText(entry.kind))
        + QLatin1Char('\n') + Palette::tr("Shift+F1: what is this?");
    return Qt::convertFromPlainText(text); // rich text has lines of a readable length
}

} // namespace

PaletteButton::PaletteButton(const PaletteEntry& entry, QWidget* parent)
    : QAbstractButton(parent)
    , m_entry(entry)
{
    const QString name = QString(entry.key).replace(QLatin1Char('/'), QLatin1Char('.'));
    setObjectName(QStringLiteral("palette.") + name);
    setText(entry.title);
    setAccessibleName(QStringLiteral("%1: %2").arg(entry.title, useText(entry.kind)));
    setToolTip(toolTipOf(entry));
    explainWith(*this, whatIs(entry));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

QSize PaletteButton::sizeHint() const
{
    return minimumSizeHint(); // no name is cut
}

QSize PaletteButton::minimumSizeHint() const
{
    return {kTextLeft + fontMetrics().horizontalAdvance(shownText()) + kTextRight,
            std::max(kEntryHeight, fontMetrics().height() + 8)};
}

void PaletteButton::setFolded(const QString& letters, bool folded)
{
    m_letters = folded ? letters : QString();
    updateGeometry();
    update();
}

QString PaletteButton::shownText() const
{
    if (!m_letters.isEmpty()) {
        return m_letters;
    }
    return m_entry.kind == PaletteKind::stage ? QStringLiteral("+ ") + text() : text();
}

void PaletteButton::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(theme.accent, 1.5) : QPen(theme.fieldBorder, 1.0));
    painter.setBrush(underMouse() || isDown() ? theme.fieldHover : theme.field);
    painter.drawRoundedRect(box, kEntryRadius, kEntryRadius);

    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(*m_entry.component));
    const QRectF edge(0, 0, kEntryEdge, height());
    painter.drawRoundedRect(mirroredIn(layoutDirection(), rect(), edge), 1.5, 1.5);

    painter.setPen(theme.text);
    const QString shown = shownText();
    const QRect place = QStyle::visualRect(
        layoutDirection(), rect(), rect().adjusted(kTextLeft, 0, -kTextRight, 0));
    painter.drawText(place,
                     textFlags(Qt::AlignLeft | Qt::AlignVCenter, shown, layoutDirection()),
                     fontMetrics().elidedText(shown, Qt::ElideRight, place.width()));
}

void PaletteButton::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->pos();
    QAbstractButton::mousePressEvent(event);
}

void PaletteButton::mouseMoveEvent(QMouseEvent* event)
{
    const bool far =
        (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if ((event->buttons() & Qt::LeftButton) != 0 && far) {
        startDrag();
        return;
    }
    QAbstractButton::mouseMoveEvent(event);
}

void PaletteButton::startDrag()
{
    setDown(false);
    auto* drag = new QDrag(this);
    drag->setMimeData(mimeData(m_entry).release());
    drag->setPixmap(translucent(grab()));
    drag->setHotSpot(m_pressed);
    drag->exec(Qt::CopyAction);
}

void PaletteButton::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        event->ignore(); // the palette moves the focus
    } else {
        QAbstractButton::keyPressEvent(event);
    }
}

bool PaletteButton::event(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        update();
    }
    return QAbstractButton::event(event);
}

Palette::Palette(Document& document, QWidget* parent)
    : QScrollArea(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Palette of mixers and feed-forward variants"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    content->setObjectName(QStringLiteral("palette.content"));
    content->setAccessibleName(tr("Palette entries"));
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(4);
    for (const PaletteKind kind : {PaletteKind::mixer, PaletteKind::ffn, PaletteKind::stage}) {
        addSection(*column, kind);
    }
    column->addStretch(1);
    setWidget(content);
    fitWidth();
    content->setAutoFillBackground(false); // transparent over the panel
    viewport()->setAutoFillBackground(false);
}

void Palette::fitWidth()
{
    widget()->layout()->activate();
    const int bar = verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff ? 0 : kScrollBar;
    setMinimumWidth(widget()->layout()->minimumSize().width() + bar);
}

void Palette::setFolded(bool folded)
{
    QStringList taken;
    for (PaletteButton* button : m_buttons) {
        button->setFolded(lettersOf(button->text(), taken), folded);
    }
    for (QWidget* heading : m_headings) {
        heading->setVisible(!folded);
    }
    setVerticalScrollBarPolicy(folded ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    fitWidth();
}

void Palette::addSection(QVBoxLayout& column, PaletteKind kind)
{
    auto* heading = new QLabel(paletteHeading(kind).toUpper(), this);
    heading->setObjectName(QStringLiteral("palette.heading%1").arg(static_cast<int>(kind)));
    heading->setAccessibleName(paletteHeading(kind));
    heading->setProperty("role", QStringLiteral("section"));
    QFont small = heading->font();
    small.setPointSizeF(small.pointSizeF() * 0.84);
    heading->setFont(small);
    heading->setContentsMargins(2, kind == PaletteKind::mixer ? 0 : 6, 0, 0);
    column.addWidget(heading);
    m_headings.push_back(heading);
    for (const PaletteEntry& entry : paletteEntries()) {
        if (entry.kind != kind) {
            continue;
        }
        auto* button = new PaletteButton(entry, this);
        connect(button, &QAbstractButton::clicked, this, [this, &entry] { take(entry); });
        column.addWidget(button);
        m_buttons.push_back(button);
    }
}

// Inserts the entry into the selected runs, or into a new block at the end.
void Palette::take(const PaletteEntry& entry)
{
    const Selection& selection = m_document.selection();
    Q_EMIT refused(selection.isRun() ? whyNotApplied(m_document.scenario(), entry, selection.runs())
                                     : whyNotAppended(m_document.scenario(), entry));
    if (selection.isRun()) {
        applyEntry(m_document, entry);
    } else {
        appendEntry(m_document, entry);
    }
}

void Palette::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        moveFocus(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    }
    QScrollArea::keyPressEvent(event);
}

void Palette::moveFocus(int by)
{
    const auto focused =
        std::find_if(m_buttons.begin(), m_buttons.end(), [](auto* b) { return b->hasFocus(); });
    if (focused == m_buttons.end()) {
        return;
    }
    const auto index = static_cast<int>(focused - m_buttons.begin());
    const int next = std::clamp(index + by, 0, static_cast<int>(m_buttons.size()) - 1);
    PaletteButton* target = m_buttons[static_cast<std::size_t>(next)];
    target->setFocus(Qt::TabFocusReason);
    ensureWidgetVisible(target);
}

} // namespace flopsmith::ui

#include "moc_palette.cpp"
