// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/notice_line.h"

#include "ui/document/edits/parameter_edit.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace flopsmith::ui {

NoticeLine::NoticeLine(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_text(new QLabel(this))
    , m_alternative(new QPushButton(this))
{
    setObjectName(QStringLiteral("inspector.notice"));
    setAccessibleName(tr("Notice"));
    m_text->setObjectName(QStringLiteral("inspector.notice.text"));
    m_text->setAccessibleName(tr("Notice"));
    m_text->setProperty("role", QStringLiteral("warning"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_alternative->setObjectName(QStringLiteral("inspector.notice.alternative"));
    m_alternative->setAccessibleName(tr("Alternative"));
    m_alternative->setProperty("flat", true);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_text, 1);
    line->addWidget(m_alternative);
    connect(m_alternative, &QPushButton::clicked, this, [this] { takeAlternative(m_document); });
    connect(&document, &Document::noticeChanged, this, &NoticeLine::showNotice);
    showNotice();
}

QString NoticeLine::text() const
{
    return m_text->text();
}

void NoticeLine::showNotice()
{
    const Notice& notice = m_document.notice();
    m_text->setText(notice.text);
    m_text->setAccessibleName(notice.isEmpty() ? tr("Notice") : notice.text);
    m_alternative->setVisible(notice.alternative.has_value());
    if (notice.alternative) {
        const QString offer = QString::fromStdString(notice.alternative->text);
        m_alternative->setText(tr("or %1").arg(offer));
        m_alternative->setAccessibleName(tr("Set %1 instead").arg(offer));
    }
    setVisible(!notice.isEmpty());
    if (!notice.isEmpty()) {
        QAccessibleEvent alert(m_text, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

} // namespace flopsmith::ui

#include "moc_notice_line.cpp"
