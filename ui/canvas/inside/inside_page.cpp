// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_page.h"

#include "ui/canvas/inside/inside_canvas.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/utf8.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace flopsmith::ui {

InsidePage::InsidePage(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_back(new QToolButton(this))
    , m_path(new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this))
    , m_measures(new QComboBox(this))
    , m_canvas(new InsideCanvas(document, this))
    , m_sentence(new QLabel(this))
{
    setObjectName(QStringLiteral("inside"));
    setAccessibleName(tr("Inside the block"));
    setLayoutDirection(Qt::LeftToRight); // as the stack
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(m_back);
    head->addWidget(m_path, 1);
    head->addWidget(m_measures);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_sentence);
    createHead();
    createMeasures();
    m_sentence->setObjectName(QStringLiteral("inside.sentence"));
    m_sentence->setAccessibleName(tr("The selected operation"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setMinimumHeight(2 * fontMetrics().lineSpacing()); // most sentences: nothing jumps
    setFocusProxy(m_canvas);
    connect(m_canvas, &InsideCanvas::pictureChanged, this, &InsidePage::showPicture);
    connect(m_canvas, &InsideCanvas::operationSelected, this, [this] {
        const QString sentence = m_canvas->sentence();
        m_sentence->setText(sentence.isEmpty()
                                ? tr("Choose an operation by a click or the arrow keys.")
                                : sentence);
    });
}

void InsidePage::createHead()
{
    m_back->setObjectName(QStringLiteral("inside.back"));
    m_back->setText(tr("model"));
    m_back->setAccessibleName(tr("Back to the stack"));
    m_back->setToolTip(tr("Back to the stack (Esc)"));
    m_back->setAutoRaise(true);
    m_path->setObjectName(QStringLiteral("inside.path"));
    m_path->setAccessibleName(tr("What is shown"));
    connect(m_back, &QToolButton::clicked, this, &InsidePage::left);
}

void InsidePage::createMeasures()
{
    m_measures->setObjectName(QStringLiteral("inside.measure"));
    m_measures->setAccessibleName(tr("What the bars show"));
    m_measures->addItem(tr("FLOPs"), static_cast<int>(InsideMeasure::flops));
    m_measures->addItem(tr("Parameters"), static_cast<int>(InsideMeasure::parameters));
    m_measures->addItem(tr("Bytes"), static_cast<int>(InsideMeasure::bytes));
    m_measures->addItem(tr("Time"), static_cast<int>(InsideMeasure::time));
    connect(m_measures, &QComboBox::currentIndexChanged, this, [this] {
        m_canvas->setMeasure(static_cast<InsideMeasure>(m_measures->currentData().toInt()));
    });
}

void InsidePage::showPicture()
{
    const InsidePicture& picture = m_canvas->picture();
    QStringList path{fromUtf8(picture.blocks)};
    if (!picture.repeatText.empty()) {
        path.front() += QLatin1Char(' ') + fromUtf8(picture.repeatText);
    }
    path << tr("inside");
    m_path->setText(QStringLiteral("› ") + path.join(QStringLiteral(" › ")));
    if (!picture.unit.empty()) {
        m_measures->setItemText(0, fromUtf8(picture.unit));
    }
    Q_EMIT noteChanged(note());
}

QString InsidePage::note() const
{
    return m_canvas->note();
}

// That of the stack beside it, so that opening a block does not change the window.
QSize InsidePage::minimumSizeHint() const
{
    return {300, 120};
}

void InsidePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT left();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_inside_page.cpp"
