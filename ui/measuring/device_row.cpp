// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/device_row.h"

#include "core/protocol/device/command_text.h"
#include "ui/theme/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kButtonPadding = 9; ///< of a flat button around its text

QPushButton* flatButton(const QString& text, const QString& accessibleName, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setProperty("flat", true);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    return button;
}

} // namespace

DeviceRow::DeviceRow(const Device& device, Kind kind, QWidget* parent)
    : QFrame(parent)
    , m_device(device)
    , m_state(new QLabel(this))
    , m_detail(new QLabel(this))
{
    const QString name = QString::fromStdString(device.name);
    setProperty("chip", true);
    setAccessibleName(name);
    auto* title = new QLabel(name, this);
    title->setProperty("role", "title");
    title->setTextFormat(Qt::PlainText);
    m_state->setAccessibleName(tr("State of %1").arg(name));
    auto* command = new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this);
    command->setText(QString::fromStdString(commandText(device.command)));
    command->setAccessibleName(tr("Command of %1").arg(name));
    m_detail->setProperty("role", "muted");
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setWordWrap(true); // errors are shown in full
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* card = new QVBoxLayout(this);
    card->setContentsMargins(14, 5, 14 - kButtonPadding, 9);
    card->setSpacing(2);
    card->addLayout(createHead(title, kind));
    auto* texts = new QVBoxLayout;
    texts->setContentsMargins(0, 0, kButtonPadding, 0); // aligned with the text of the buttons
    texts->setSpacing(2);
    card->addLayout(texts);
    texts->addWidget(m_detail);
    texts->addWidget(command);
    showAsking();
}

QHBoxLayout* DeviceRow::createHead(QWidget* title, Kind kind)
{
    const QString name = QString::fromStdString(m_device.name);
    m_ask = flatButton(tr("Ask again"), tr("Ask %1 whether it answers").arg(name), this);
    connect(m_ask, &QPushButton::clicked, this, &DeviceRow::askRequested);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(title);
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(m_ask);
    if (kind == Kind::listed) {
        m_remove = flatButton(tr("Remove"), tr("Take %1 off the list").arg(name), this);
        connect(m_remove, &QPushButton::clicked, this, &DeviceRow::removeRequested);
        head->addWidget(m_remove);
    }
    return head;
}

QString DeviceRow::state() const
{
    return m_state->text();
}

void DeviceRow::showAsking()
{
    m_ask->setEnabled(false);
    setState(QStringLiteral("muted"), tr("asking …"), tr("Waiting for its answer"));
}

void DeviceRow::show(const DeviceAnswer& answer)
{
    m_ask->setEnabled(true);
    if (answer.ready) {
        setState(
            QStringLiteral("positive"), tr("ready"), tr("%1 · %2").arg(answer.device, answer.text));
    } else {
        setState(QStringLiteral("warning"), tr("not available"), answer.text);
    }
}

void DeviceRow::setState(const QString& role, const QString& state, const QString& detail)
{
    m_state->setProperty("role", role);
    style()->unpolish(m_state);
    style()->polish(m_state);
    m_state->setText(state);
    m_detail->setText(detail);
    m_detail->setAccessibleName(detail);
}

} // namespace flopsmith::ui

#include "moc_device_row.cpp"
