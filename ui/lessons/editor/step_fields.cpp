// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/step_fields.h"

#include "ui/lessons/editor/lesson_draft.h"
#include "ui/lessons/editor/question_fields.h"
#include "ui/lessons/editor/typed_field.h"
#include "ui/theme/utf8.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kHeadingLength = 200; ///< characters
constexpr int kMaxMinutes = 600;

QString named(const char* name)
{
    return QStringLiteral("lessonEditor.") + QLatin1String(name);
}

Shown& showOf(LessonStep& step)
{
    return step.show;
}

Shown& revealOf(LessonStep& step)
{
    return step.reveal;
}

Shown& exampleOf(LessonStep& step)
{
    Ask* ask = std::get_if<Ask>(&step.content);
    return ask != nullptr ? ask->example : step.reveal; // only questions have the button
}

void addWord(QStringList& words, const QString& name, const std::optional<std::string>& word)
{
    if (word) {
        words << QStringLiteral("%1 %2").arg(
            name, word->empty() ? StepFields::tr("nothing") : fromUtf8(*word));
    }
}

// "page memory · preset gpt2 · seq 2048".
QString shownText(const Shown& shown)
{
    QStringList words;
    addWord(words, StepFields::tr("page"), shown.page);
    addWord(words, StepFields::tr("preset"), shown.model);
    for (const auto& [key, value] : shown.set) {
        words << QStringLiteral("%1 = %2").arg(fromUtf8(key), fromUtf8(value));
    }
    addWord(words, StepFields::tr("lens"), shown.lens);
    addWord(words, StepFields::tr("zoom"), shown.zoom);
    addWord(words, StepFields::tr("selected"), shown.select);
    if (shown.freeze) {
        words << StepFields::tr("the design of before frozen");
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace

StepFields::StepFields(LessonDraft& draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
{
    setObjectName(named("fields"));
    setAccessibleName(tr("Texts of the lesson"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    addLanguages(*column);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    addHeadings(*form);
    addText(*form, "text", tr("Text"), StepText::text);
    addText(*form, "why", tr("Why it is so"), StepText::why);
    addText(*form, "notes", tr("Lecturer's notes"), StepText::notes);
    m_shows = addShown(*form, "shows", tr("Shows"), showOf);
    m_reveals = addShown(*form, "reveals", tr("Reveals"), revealOf);
    m_example = addShown(*form, "example", tr("Example"), exampleOf);
    column->addLayout(form);
    m_question = new QuestionFields(draft, this);
    column->addWidget(m_question);
    column->addStretch(1);
    connect(&draft, &LessonDraft::lessonChanged, this, &StepFields::refresh);
    connect(&draft, &LessonDraft::stepChanged, this, &StepFields::refresh);
    refresh();
}

void StepFields::addLanguages(QVBoxLayout& column)
{
    auto* line = new QHBoxLayout;
    m_languages = new QTabBar(this);
    m_languages->setObjectName(named("languages"));
    m_languages->setAccessibleName(tr("Language of the texts"));
    m_languages->setDrawBase(false);
    connect(m_languages, &QTabBar::currentChanged, this, [this](int tab) {
        setLanguage(m_languages->tabData(tab).toString());
    });
    const auto add = [this, line](const char* name, const QString& text) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(named(name));
        button->setAccessibleName(text);
        line->addWidget(button);
        return button;
    };
    line->addWidget(m_languages, 1);
    connect(add("addLanguage", tr("Add language…")),
            &QPushButton::clicked,
            this,
            &StepFields::askForLanguage);
    connect(add("removeLanguage", tr("Remove language")), &QPushButton::clicked, this, [this] {
        m_draft.apply(tr("Remove language"),
                      [this](Lesson& lesson) { removeLanguage(lesson, m_language.toStdString()); });
    });
    column.addLayout(line);
}

void StepFields::addHeadings(QFormLayout& form)
{
    const auto add = [this, &form](const char* key, const QString& label) {
        auto* line = new TypedLine(named(key), label, kHeadingLength, this);
        connect(line, &TypedLine::changed, this, [this, line, key] {
            m_draft.apply(
                tr("Title or summary"),
                [this, line, key](Lesson& lesson) {
                    setText(lesson, m_language.toStdString(), key, line->typed());
                },
                QLatin1String(key) + m_language);
        });
        form.addRow(label, line);
        return line;
    };
    m_title = add("title", tr("Title of the lesson"));
    m_summary = add("summary", tr("Summary"));
    m_minutes = new TypedLine(named("minutes"), tr("Minutes"), 3, this);
    connect(m_minutes, &TypedLine::changed, this, [this] {
        const int minutes = m_minutes->text().toInt();
        if (minutes >= 1 && minutes <= kMaxMinutes) {
            m_draft.apply(
                tr("Minutes"),
                [minutes](Lesson& lesson) { lesson.minutes = minutes; },
                QStringLiteral("minutes"));
        }
    });
    form.addRow(tr("Minutes"), m_minutes);
}

void StepFields::addText(QFormLayout& form, const char* name, const QString& label, StepText which)
{
    TextField field{which, new QLabel(label, this), new TypedText(named(name), label, this)};
    field.label->setObjectName(named(name) + QStringLiteral(".label"));
    field.label->setBuddy(field.text);
    form.addRow(field.label, field.text);
    connect(field.text, &TypedText::changed, this, [this, which, name, text = field.text] {
        if (m_draft.step() >= 0) {
            m_draft.apply(
                tr("Text"),
                [this, which, text](Lesson& lesson) {
                    setStepText(
                        lesson, m_draft.step(), which, m_language.toStdString(), text->typed());
                },
                QLatin1String(name) + m_language);
        }
    });
    m_texts.push_back(field);
}

StepFields::ShownLine StepFields::addShown(QFormLayout& form,
                                           const char* name,
                                           const QString& label,
                                           Shown& (*of)(LessonStep&))
{
    ShownLine line{new QLabel(label, this), new QLabel(this), new QPushButton(tr("Clear"), this)};
    line.label->setObjectName(named(name) + QStringLiteral(".label"));
    line.text->setObjectName(named(name));
    line.text->setTextFormat(Qt::PlainText);
    line.text->setWordWrap(true);
    line.clear->setObjectName(named(name) + QStringLiteral(".clear"));
    line.clear->setAccessibleName(tr("Clear: %1").arg(label));
    connect(line.clear, &QPushButton::clicked, this, [this, label, of] {
        m_draft.apply(tr("Clear: %1").arg(label), [this, of](Lesson& lesson) {
            of(lesson.steps.at(static_cast<std::size_t>(m_draft.step()))) = {};
        });
    });
    auto* row = new QHBoxLayout;
    row->addWidget(line.text, 1);
    row->addWidget(line.clear);
    form.addRow(line.label, row);
    return line;
}

void StepFields::askForLanguage()
{
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(named("languageName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add language"));
    dialog->setLabelText(tr("Its short name, such as de or fr"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        const std::string wanted = name.trimmed().toStdString();
        Lesson edited = m_draft.lesson();
        if (addLanguage(edited, wanted)) {
            m_draft.apply(tr("Add language"),
                          [&edited](Lesson& lesson) { lesson = std::move(edited); });
            setLanguage(fromUtf8(wanted));
        }
    });
    dialog->open();
}

void StepFields::setLanguage(const QString& language)
{
    if (language != m_language) {
        m_language = language;
        refresh();
        Q_EMIT languageChanged();
    }
}

void StepFields::listLanguages()
{
    const auto& texts = m_draft.lesson().texts;
    if (!texts.contains(m_language.toStdString())) {
        m_language = fromUtf8(m_draft.lesson().languageFor(m_language.toStdString()));
    }
    const QSignalBlocker blocker(m_languages);
    while (m_languages->count() > static_cast<int>(texts.size())) {
        m_languages->removeTab(m_languages->count() - 1);
    }
    int tab = 0;
    for (const auto& [code, ignored] : texts) {
        const QString name = fromUtf8(code);
        if (tab == m_languages->count()) {
            m_languages->addTab(name);
        }
        m_languages->setTabText(tab, name);
        m_languages->setTabData(tab, name);
        if (name == m_language) {
            m_languages->setCurrentIndex(tab);
        }
        ++tab;
    }
    findChild<QPushButton*>(named("removeLanguage"))->setEnabled(texts.size() > 1);
}

void StepFields::refresh()
{
    listLanguages();
    const Lesson& lesson = m_draft.lesson();
    const std::string language = m_language.toStdString();
    m_title->show(lesson.text(language, "title"));
    m_summary->show(lesson.text(language, "summary"));
    if (m_minutes->text().toInt() != lesson.minutes) {
        m_minutes->setText(QString::number(lesson.minutes));
    }
    showStep();
    m_question->show(m_language);
}

void StepFields::showStep()
{
    const LessonStep* step = m_draft.currentStep();
    const bool asks = step != nullptr && step->ask() != nullptr;
    for (const TextField& field : m_texts) {
        const bool isThere = step != nullptr && (field.which != StepText::why || asks);
        field.label->setVisible(isThere);
        field.text->setVisible(isThere);
        if (isThere) {
            const std::string& key = textKey(*step, field.which);
            field.text->show(m_draft.lesson().text(m_language.toStdString(), key));
        }
    }
    const bool builds = asks && step->ask()->kind == QuestionKind::build;
    showShown(m_shows, step == nullptr ? Shown{} : step->show, step != nullptr);
    showShown(m_reveals, asks ? step->reveal : Shown{}, asks);
    showShown(m_example, builds ? step->ask()->example : Shown{}, builds);
}

void StepFields::showShown(const ShownLine& line, const Shown& shown, bool isThere)
{
    const QString text = shownText(shown);
    line.label->setVisible(isThere);
    line.text->setVisible(isThere);
    line.clear->setVisible(isThere);
    line.clear->setEnabled(!text.isEmpty());
    line.text->setText(text.isEmpty() ? tr("as before") : text);
    line.text->setAccessibleName(line.text->text());
}

} // namespace flopsmith::ui

#include "moc_step_fields.cpp"
