// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/class_locks/class_lock_dialog.h"

#include "ui/widgets/values/value_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace flopsmith::ui {
namespace {

QString titleOf(const ClassLock& lock)
{
    const QString key = QString::fromStdString(lock.key);
    switch (lock.kind) {
    case ClassLock::Kind::hidden: return ClassLockDialog::tr("Hide %1 for students").arg(key);
    case ClassLock::Kind::fixed: return ClassLockDialog::tr("Fix %1 for students").arg(key);
    case ClassLock::Kind::bounded: break;
    }
    return ClassLockDialog::tr("Bound %1 for students").arg(key);
}

} // namespace

ClassLockDialog::ClassLockDialog(Document& document, ClassLock lock, QWidget& parent)
    : QDialog(&parent)
    , m_document(document)
    , m_lock(std::move(lock))
    , m_message(new QLabel(this))
{
    setObjectName(QStringLiteral("classLock"));
    setWindowTitle(titleOf(m_lock));
    setAccessibleName(windowTitle());
    setAttribute(Qt::WA_DeleteOnClose);
    auto* rows = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    rows->addLayout(form);
    if (m_lock.kind == ClassLock::Kind::bounded) {
        m_min = addLine(*form,
                        QStringLiteral("min"),
                        tr("&From"),
                        QString::fromStdString(boundText(m_lock.min)));
        m_max = addLine(
            *form, QStringLiteral("max"), tr("&To"), QString::fromStdString(boundText(m_lock.max)));
    }
    m_sentence = addLine(*form,
                         QStringLiteral("sentence"),
                         tr("&Sentence for students"),
                         QString::fromStdString(m_lock.sentence));
    m_sentence->setPlaceholderText(tr("may be empty"));
    m_sentence->setMinimumWidth(320);
    m_message->setObjectName(QStringLiteral("classLock.said"));
    m_message->setAccessibleName(tr("What is wrong"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->hide();
    rows->addWidget(m_message);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->setObjectName(QStringLiteral("classLock.buttons"));
    for (QAbstractButton* button : buttons->buttons()) {
        button->setIcon({}); // the style's icons do not match the themes
        button->setAccessibleName(button->text().remove(QLatin1Char('&')));
    }
    buttons->button(QDialogButtonBox::Ok)->setObjectName(QStringLiteral("classLock.ok"));
    buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("classLock.cancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ClassLockDialog::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    rows->addWidget(buttons);
}

QLineEdit* ClassLockDialog::addLine(QFormLayout& form,
                                    const QString& name,
                                    const QString& title,
                                    const QString& text)
{
    auto* line = new QLineEdit(text, this);
    line->setObjectName(QStringLiteral("classLock.") + name);
    line->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    line->setMaxLength(static_cast<int>(kLongestLockSentence));
    auto* label = new QLabel(title, this);
    label->setObjectName(line->objectName() + QStringLiteral(".label"));
    label->setAccessibleName(line->accessibleName());
    label->setBuddy(line);
    form.addRow(label, line);
    return line;
}

QString ClassLockDialog::message() const
{
    return m_message->text();
}

bool ClassLockDialog::readBound(const QLineEdit& line, double& bound)
{
    const std::optional<FieldValue> typed = typedValue(line.text(), 0.0);
    if (!typed) {
        say(tr("\u201C%1\u201D is not a number").arg(line.text()));
        return false;
    }
    bound = std::get<double>(*typed);
    return true;
}

void ClassLockDialog::take()
{
    if (m_min != nullptr && !(readBound(*m_min, m_lock.min) && readBound(*m_max, m_lock.max))) {
        return;
    }
    m_lock.sentence = m_sentence->text().trimmed().toUtf8().toStdString();
    if (const Status locked = m_document.classLocks().lock(m_lock); !locked) {
        say(QString::fromStdString(locked.error().message));
        return;
    }
    accept();
}

void ClassLockDialog::say(const QString& sentence)
{
    m_message->setText(sentence);
    m_message->show();
}

} // namespace flopsmith::ui

#include "moc_class_lock_dialog.cpp"
