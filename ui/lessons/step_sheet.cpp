// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/step_sheet.h"

#include "ui/widgets/shown_label.h"

#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kAllOfTheHeight = 100; ///< nearly, beside a stretch of 1

} // namespace

StepSheet::StepSheet(QWidget* parent)
    : ContentArea(parent)
{
    setObjectName(QStringLiteral("lesson.area"));
    setAccessibleName(tr("Lesson"));
    auto* inner = new QWidget(this);
    inner->setObjectName(QStringLiteral("lesson.texts"));
    inner->setAccessibleName(tr("Lesson"));
    m_column = new QVBoxLayout(inner);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_text = addLabel("text");
    m_questionPlace = new QVBoxLayout;
    m_column->addLayout(m_questionPlace);
    m_verdict = addLabel("verdict", "figure");
    m_why = addLabel("why");
    m_problem = addLabel("problem", "error");
    m_column->addStretch(1);
    setWidget(inner);
}

QLabel* StepSheet::addLabel(const char* name, const char* role)
{
    auto* label = new QLabel(this);
    label->setObjectName(QStringLiteral("lesson.") + QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    if (role != nullptr) {
        label->setProperty("role", QLatin1String(role));
    }
    m_column->addWidget(label);
    return label;
}

void StepSheet::showTexts(const Texts& texts)
{
    showIfAny(*m_text, texts.text);
    showIfAny(*m_verdict, texts.verdict);
    showIfAny(*m_why, texts.why);
    showIfAny(*m_problem, {});
}

void StepSheet::showProblem(const QString& sentence)
{
    showIfAny(*m_problem, sentence);
}

QString StepSheet::text() const
{
    return m_text->text();
}

void StepSheet::scrollToWhy()
{
    QTimer::singleShot(0, this, [this] { ensureWidgetVisible(m_why, 0, 0); }); // laid out
}

void StepSheet::addQuestion(QWidget& question, QuestionHeight height)
{
    m_questionPlace->addWidget(&question);
    m_column->setStretchFactor(m_questionPlace,
                               height == QuestionHeight::all ? kAllOfTheHeight : 0);
}

void StepSheet::addBelow(QWidget& widget)
{
    m_column->insertWidget(m_column->count() - 1, &widget); // before the stretch
}

} // namespace flopsmith::ui

#include "moc_step_sheet.cpp"
