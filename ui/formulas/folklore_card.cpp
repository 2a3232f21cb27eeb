// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/folklore_card.h"

#include "ui/formulas/formula_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace flopsmith::ui {
namespace {

QString coloured(const QString& text, const QColor& colour, const char* style = "")
{
    return QStringLiteral("<span style='color:%1; %2'>%3</span>")
        .arg(colour.name(), QLatin1String(style), text.toHtmlEscaped());
}

} // namespace

FolkloreCard::FolkloreCard(Folklore folklore, QWidget* parent)
    : QFrame(parent)
    , m_folklore(std::move(folklore))
    , m_printed(wrapped("printed", ""))
    , m_truth(wrapped("truth", ""))
    , m_derivation(wrapped("derivation", ""))
    , m_why(new QPushButton(this))
{
    setObjectName(QStringLiteral("folklore.") + fromUtf8(m_folklore.id));
    setAccessibleName(fromUtf8(m_folklore.title));
    setProperty("panel", true);
    auto* title = wrapped("title", "title");
    title->setTextFormat(Qt::PlainText);
    title->setText(fromUtf8(m_folklore.title));
    title->setProperty("ownType", true);
    m_title = title;
    enlargeTitle();
    auto* note = new QLabel(fromUtf8(m_folklore.note), this);
    note->setProperty("role", QStringLiteral("muted"));
    auto* factor = new QLabel(fromUtf8(factorText(m_folklore.factor())), this);
    factor->setObjectName(QStringLiteral("factor"));
    factor->setProperty("role", QStringLiteral("warning"));
    m_why->setObjectName(QStringLiteral("why"));
    m_why->setProperty("flat", true);
    m_why->setProperty("flush", true); // aligned with the texts
    m_why->setCheckable(true);
    m_why->setAccessibleName(tr("Derivation of %1").arg(fromUtf8(m_folklore.title)));
    connect(m_why, &QPushButton::toggled, this, &FolkloreCard::setOpen);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(20, 16, 20, 12);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    grid->addWidget(title, 0, 0);
    grid->addWidget(note, 0, 1, Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(m_printed, 1, 0);
    grid->addWidget(factor, 1, 1, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(m_truth, 2, 0, 1, 2);
    grid->addWidget(m_derivation, 3, 0, 1, 2);
    grid->addWidget(m_why, 4, 0, 1, 2, Qt::AlignLeft);
    m_derivation->setContentsMargins(0, 8, 0, 0);
    writeTexts();
    setOpen(false);
}

QLabel* FolkloreCard::wrapped(const char* name, const char* role)
{
    auto* made = new QLabel(this);
    made->setObjectName(QLatin1String(name));
    made->setProperty("role", QLatin1String(role));
    made->setWordWrap(true);
    made->setTextFormat(Qt::RichText);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

void FolkloreCard::setOpen(bool open)
{
    m_why->setChecked(open);
    m_why->setText(open ? tr("Hide the derivation") : tr("Why?"));
    m_derivation->setVisible(open);
}

bool FolkloreCard::isOpen() const
{
    return m_why->isChecked();
}

void FolkloreCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        enlargeTitle();
    }
    if (event->type() == QEvent::PaletteChange && m_derivation != nullptr) {
        writeTexts();
    }
}

void FolkloreCard::enlargeTitle()
{
    constexpr double kLargeTitle = 1.15; // relative to ordinary text
    if (m_title != nullptr) {
        QFont big = font();
        big.setPointSizeF(big.pointSizeF() * kLargeTitle);
        m_title->setFont(big);
    }
}

void FolkloreCard::writeTexts()
{
    const Theme& theme = systemTheme();
    m_printed->setText(
        coloured(fromUtf8(m_folklore.printed), theme.mutedText, "text-decoration:line-through"));
    m_truth->setText(coloured(fromUtf8(m_folklore.truth), theme.text, "font-weight:600"));
    m_derivation->setText(derivation());
}

QString FolkloreCard::derivation() const
{
    const Theme& theme = systemTheme();
    QString html;
    for (const FolkloreStep& step : m_folklore.derivation) {
        html += QStringLiteral("<p style='margin-top:10px; margin-bottom:2px'>%1</p>")
                    .arg(fromUtf8(step.sentence).toHtmlEscaped());
        if (step.formula) {
            html += formulaLines(*step.formula, fromUtf8(step.unit), theme);
        }
    }
    return html;
}

} // namespace flopsmith::ui

#include "moc_folklore_card.cpp"
