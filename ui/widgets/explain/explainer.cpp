// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/explain/explainer.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kExplainerMargin = 12;
constexpr int kExplainerGap = 4; ///< to the explained place
constexpr int kExplainerLetters = 72; ///< in a line
constexpr int kExplainerSlack = 2; ///< so that no scroll bar comes for a fraction of a line

QString plainTextOf(const QString& richText)
{
    QTextDocument document;
    document.setHtml(richText);
    return document.toPlainText();
}

void showExplainMenu(QWidget& widget, const QPoint& place)
{
    auto* edit = qobject_cast<QLineEdit*>(&widget);
    if (edit == nullptr) {
        edit = widget.findChild<QLineEdit*>(); // of a value box
    }
    auto* menu = edit != nullptr ? edit->createStandardContextMenu() : new QMenu(&widget);
    menu->setObjectName(QStringLiteral("explain.menu"));
    menu->setAccessibleName(widget.accessibleName());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (edit != nullptr) {
        menu->addSeparator();
    }
    menu->addAction(
        Explainer::tr("What is t&his?"), &widget, [&widget] { Explainer::openFor(widget); });
    menu->popup(widget.mapToGlobal(place));
}

} // namespace

Explainer::Explainer(QWidget& window)
    : QFrame(&window)
    , m_area(new QScrollArea(this))
    , m_text(new QLabel(m_area))
{
    setObjectName(QStringLiteral("explainer"));
    setAccessibleName(tr("What this is"));
    setProperty("panel", true);
    setProperty("takesEscape", true);
    setFocusPolicy(Qt::StrongFocus);
    m_area->setObjectName(QStringLiteral("explainer.scroll"));
    m_area->setAccessibleName(tr("What this is"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setWidgetResizable(true);
    m_area->setWidget(m_text);
    m_text->setAutoFillBackground(false); // transparent over the panel
    m_area->viewport()->setAutoFillBackground(false);
    m_text->setObjectName(QStringLiteral("explainer.text"));
    m_text->setAccessibleName(tr("Explanation"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_text->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    connect(m_text, &QLabel::linkActivated, this, [this](const QString& link) {
        dismiss();
        Q_EMIT linkFollowed(link);
    });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(
        kExplainerMargin, kExplainerMargin, kExplainerMargin, kExplainerMargin);
    column->addWidget(m_area);
    hide();
}

Explainer& Explainer::of(QWidget& window)
{
    auto* existing = window.findChild<Explainer*>(QString(), Qt::FindDirectChildrenOnly);
    return existing != nullptr ? *existing : *new Explainer(window);
}

bool Explainer::openFor(QWidget& widget)
{
    const QWidget* about = &widget;
    while (about != nullptr && about->whatsThis().isEmpty()) {
        about = about->parentWidget();
    }
    if (about == nullptr) {
        return false;
    }
    QWidget& window = *widget.window();
    of(window).open(about->whatsThis(), QRect(about->mapTo(&window, QPoint(0, 0)), about->size()));
    return true;
}

void Explainer::open(const QString& richText, const QRect& place)
{
    if (!isVisible()) {
        m_before = QApplication::focusWidget();
    }
    m_text->setText(richText);
    setAccessibleDescription(plainTextOf(richText));
    fit(place);
    show();
    fit(place); // once more with the type of the shown widgets
    m_area->verticalScrollBar()->setValue(0);
    raise();
    setFocus(Qt::PopupFocusReason);
}

QString Explainer::shownText() const
{
    return plainTextOf(m_text->text());
}

void Explainer::fit(const QRect& place)
{
    const QSize limits = parentWidget()->size();
    const int frame = 2 * (kExplainerMargin + frameWidth());
    const int width =
        std::min(kExplainerLetters * fontMetrics().averageCharWidth() + frame, limits.width());
    const int wanted = m_text->heightForWidth(width - frame) + frame + kExplainerSlack;
    const int below = limits.height() - place.bottom() - kExplainerGap;
    const int above = place.top() - kExplainerGap;
    const int height = std::min(wanted, limits.height());
    const int top = wanted <= below || below >= above ? place.bottom() + kExplainerGap
                                                      : place.top() - kExplainerGap - height;
    const int start =
        layoutDirection() == Qt::RightToLeft ? place.right() + 1 - width : place.left();
    setGeometry(std::clamp(start, 0, limits.width() - width),
                std::clamp(top, 0, limits.height() - height),
                width,
                height);
}

void Explainer::dismiss()
{
    const QPointer<QWidget> before = m_before;
    hide();
    if (before != nullptr) {
        before->setFocus(Qt::PopupFocusReason);
    }
}

void Explainer::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(shownText());
        return;
    }
    QScrollBar& bar = *m_area->verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Return:
    case Qt::Key_Enter: dismiss(); break;
    case Qt::Key_Down: bar.triggerAction(QAbstractSlider::SliderSingleStepAdd); break;
    case Qt::Key_Up: bar.triggerAction(QAbstractSlider::SliderSingleStepSub); break;
    default: QFrame::keyPressEvent(event);
    }
}

void Explainer::focusOutEvent(QFocusEvent* event)
{
    QFrame::focusOutEvent(event);
    if (event->reason() != Qt::ActiveWindowFocusReason) {
        hide();
    }
}

void explainWith(QWidget& widget, const QString& richText)
{
    widget.setWhatsThis(richText);
    if (widget.contextMenuPolicy() != Qt::CustomContextMenu) {
        widget.setContextMenuPolicy(Qt::CustomContextMenu);
        QObject::connect(&widget,
                         &QWidget::customContextMenuRequested,
                         &widget,
                         [&widget](const QPoint& place) { showExplainMenu(widget, place); });
    }
}

} // namespace flopsmith::ui

#include "moc_explainer.cpp"
