// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/tie_line.h"

#include "ui/document/edits/rule_edit.h"
#include "ui/theme/utf8.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QStyle>
#include <QVBoxLayout>

#include <utility>

namespace flopsmith::ui {
namespace {

bool isOfName(QChar letter)
{
    return letter.isLetterOrNumber() || QStringLiteral("_.[]").contains(letter);
}

// Where the name that ends at the cursor begins.
int nameStart(const QString& text, int cursor)
{
    int start = cursor;
    while (start > 0 && isOfName(text.at(start - 1))) {
        --start;
    }
    return start;
}

QStringList sourceNames(const Scenario& scenario, const ParameterPlace& place)
{
    QStringList names;
    for (const std::string& name : possibleSources(scenario, place)) {
        names << QString::fromStdString(name);
    }
    names.sort();
    return names;
}

} // namespace

TieLine::TieLine(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_name(new QLabel(this))
    , m_text(new QLineEdit(this))
    , m_take(new QPushButton(tr("Tie"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_message(new QLabel(this))
    , m_completer(new QCompleter(this))
{
    const auto name = [](QWidget& widget, const char* part, const QString& accessible) {
        widget.setObjectName(QStringLiteral("inspector.tie.") + QLatin1String(part));
        widget.setAccessibleName(accessible);
    };
    setObjectName(QStringLiteral("inspector.tie"));
    setAccessibleName(tr("Tie a parameter"));
    name(*m_name, "name", tr("Tied parameter"));
    name(*m_text, "text", tr("Expression"));
    name(*m_take, "take", tr("Tie"));
    name(*m_cancel, "cancel", tr("Do not tie"));
    name(*m_message, "said", tr("What the tie does"));
    name(*m_completer->popup(), "names", tr("Parameters that can be followed"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_text->setMaxLength(200);
    m_text->setPlaceholderText(tr("4·d_model, d_model/64, 8·d_model/3 + 64"));
    m_completer->setModel(new QStringListModel(m_completer));
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setWidget(m_text);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_name);
    line->addWidget(m_text, 1);
    line->addWidget(m_take);
    line->addWidget(m_cancel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_message);
    connect(m_text, &QLineEdit::textChanged, this, &TieLine::showPreview);
    connect(m_text, &QLineEdit::textEdited, this, &TieLine::complete);
    connect(m_text, &QLineEdit::returnPressed, this, &TieLine::take);
    connect(m_take, &QPushButton::clicked, this, &TieLine::take);
    connect(m_cancel, &QPushButton::clicked, this, &TieLine::finish);
    connect(m_completer,
            qOverload<const QString&>(&QCompleter::activated),
            this,
            &TieLine::insertCompletion);
    connect(&document, &Document::scenarioChanged, this, &TieLine::follow);
    connect(&document, &Document::selectionChanged, this, [this] {
        m_parameter.reset();
        hide();
    });
    hide();
}

void TieLine::open(const Parameter& parameter)
{
    const Scenario& scenario = m_document.scenario();
    m_parameter = parameter;
    m_place = placeOf(scenario, parameter);
    const QString key = fromUtf8(parameter.text.key);
    m_name->setText(key + QStringLiteral(" ="));
    m_text->setAccessibleName(tr("Expression that %1 follows").arg(key));
    qobject_cast<QStringListModel*>(m_completer->model())
        ->setStringList(sourceNames(scenario, m_place));
    const Tie* tie = m_document.rules().tieOf(m_place);
    m_text->setText(tie == nullptr ? QString() : QString::fromStdString(shownExpression(*tie)));
    showPreview();
    show();
    m_text->setFocus(Qt::OtherFocusReason);
    m_text->selectAll();
}

QString TieLine::message() const
{
    return m_message->text();
}

void TieLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        finish();
        return;
    }
    QWidget::keyPressEvent(event);
}

void TieLine::take()
{
    // Enter in the list of names takes the name.
    const bool chooses =
        m_completer->popup()->isVisible() && m_completer->popup()->currentIndex().isValid();
    if (!m_parameter || chooses) {
        return;
    }
    const Status tied = tieParameter(m_document, *m_parameter, m_text->text());
    if (tied) {
        finish();
    } else {
        say(QString::fromStdString(tied.error().message), "warning");
    }
}

void TieLine::finish()
{
    hide();
    if (const std::optional<Parameter> parameter = std::exchange(m_parameter, std::nullopt)) {
        Q_EMIT finished(*parameter);
    }
}

// The model may have lost the parameter, or renumbered its blocks.
void TieLine::follow()
{
    if (!m_parameter) {
        return;
    }
    m_parameter = parameterAt(m_document.scenario(), m_place);
    if (m_parameter) {
        showPreview();
    } else {
        hide();
    }
}

void TieLine::showPreview()
{
    if (!m_parameter) {
        return;
    }
    const bool empty = m_text->text().trimmed().isEmpty();
    m_take->setEnabled(false);
    if (empty) {
        say(tr("Write the parameter to follow, with a factor or a divisor."), "muted");
        return;
    }
    const Result<QString> preview = tiePreview(m_document, *m_parameter, m_text->text());
    m_take->setEnabled(preview.ok());
    say(preview ? *preview : QString::fromStdString(preview.error().message),
        preview ? "muted" : "warning");
}

void TieLine::complete()
{
    const int cursor = m_text->cursorPosition();
    const int start = nameStart(m_text->text(), cursor);
    m_completer->setCompletionPrefix(m_text->text().mid(start, cursor - start));
    const bool typed = start < cursor && m_text->text().at(start).isLetter();
    const bool whole = m_completer->completionCount() == 1
        && m_completer->currentCompletion() == m_completer->completionPrefix();
    if (typed && m_completer->completionCount() > 0 && !whole) {
        m_completer->complete();
    } else {
        m_completer->popup()->hide();
    }
}

void TieLine::insertCompletion(const QString& name)
{
    const int cursor = m_text->cursorPosition();
    const int start = nameStart(m_text->text(), cursor);
    QString text = m_text->text();
    text.replace(start, cursor - start, name);
    m_text->setText(text);
    m_text->setCursorPosition(start + static_cast<int>(name.size()));
}

void TieLine::say(const QString& sentence, const char* role)
{
    m_message->setText(sentence);
    m_message->setAccessibleName(sentence);
    if (m_message->property("role").toString() != QLatin1String(role)) {
        m_message->setProperty("role", QLatin1String(role));
        m_message->style()->unpolish(m_message);
        m_message->style()->polish(m_message);
    }
}

} // namespace flopsmith::ui

#include "moc_tie_line.cpp"
