// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exercises/check_row.h"

#include "core/base/text.h"
#include "ui/widgets/shown_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kMaxDigits = 1e15; // of a whole number that is written out

constexpr int kMaxTypedLength = 100;
constexpr int kRowGap = 4;

QString pointsText(int points)
{
    return points == 1 ? CheckRow::tr("1 point") : CheckRow::tr("%1 points").arg(points);
}

void setRole(QLabel& label, const char* role)
{
    label.setProperty("role", QLatin1String(role));
    label.style()->unpolish(&label);
    label.style()->polish(&label);
}

} // namespace

CheckRow::CheckRow(const ExercisePlay& play, std::size_t check, QWidget* parent)
    : QWidget(parent)
    , m_check(check)
    , m_id(QString::fromStdString(play.exercise().checks[check].id))
{
    setObjectName(QStringLiteral("exercise.check.") + m_id);
    setAccessibleName(tr("Check %1").arg(check + 1));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowGap);
    m_text = addLabel(*column, "text", nullptr);
    if (const auto& number = play.exercise().checks[check].number) {
        addBox(*column, *number);
    }
    m_mark = addLabel(*column, "mark", "muted");
    m_problem = addLabel(*column, "problem", "error");
    m_wrong = addLabel(*column, "wrong", nullptr);
    m_hint = addLabel(*column, "hint", nullptr);
    showState(play);
}

QLabel* CheckRow::addLabel(QVBoxLayout& column, const char* name, const char* role)
{
    auto* label = new QLabel(this);
    label->setObjectName(objectName() + QLatin1Char('.') + QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    if (role != nullptr) {
        label->setProperty("role", QLatin1String(role));
    }
    column.addWidget(label);
    return label;
}

void CheckRow::addBox(QVBoxLayout& column, const ExerciseNumber& number)
{
    auto* line = new QHBoxLayout;
    m_box = new QLineEdit(this);
    m_box->setObjectName(objectName() + QStringLiteral(".number"));
    m_box->setMaxLength(kMaxTypedLength);
    m_box->setPlaceholderText(tr("such as 17.5 G"));
    line->addWidget(m_box, 1);
    const QString unit = QString::fromStdString(number.unit);
    if (!unit.isEmpty()) {
        auto* label = new QLabel(unit, this);
        label->setObjectName(objectName() + QStringLiteral(".unit"));
        label->setAccessibleName(unit);
        label->setTextFormat(Qt::PlainText);
        line->addWidget(label);
    }
    column.addLayout(line);
    connect(
        m_box, &QLineEdit::editingFinished, this, [this] { Q_EMIT numberTyped(m_box->text()); });
}

QString CheckRow::markText(const ExercisePlay& play) const
{
    const CheckMark& mark = play.marks()[m_check];
    const int points = play.exercise().checks[m_check].points;
    switch (mark.state) {
    case CheckMark::State::right: return tr("● right · %1").arg(pointsText(points));
    case CheckMark::State::open: return tr("○ open · %1").arg(pointsText(points));
    case CheckMark::State::wrong: break;
    }
    return tr("○ not yet · %1").arg(pointsText(points));
}

void CheckRow::showState(const ExercisePlay& play)
{
    const ExerciseCheck& check = play.exercise().checks[m_check];
    const CheckMark& mark = play.marks()[m_check];
    showIfAny(*m_text, QString::fromStdString(play.text(check.text)));
    if (m_box != nullptr) {
        m_box->setAccessibleName(m_text->text());
    }
    showIfAny(*m_mark, markText(play));
    setRole(*m_mark, mark.isRight() ? "positive" : "muted");
    showIfAny(*m_problem, QString::fromStdString(mark.problem));
    showIfAny(*m_wrong,
              play.showsWrong(m_check) ? QString::fromStdString(play.text(check.wrong))
                                       : QString());
    showIfAny(*m_hint,
              play.showsHint(m_check)
                  ? tr("Hint: %1").arg(QString::fromStdString(play.text(check.hint)))
                  : QString());
}

void CheckRow::showNumber(double number)
{
    if (m_box != nullptr) {
        const bool isWhole = number == std::trunc(number) && std::abs(number) < kMaxDigits;
        m_box->setText(isWhole ? QString::number(number, 'f', 0)
                               : QString::fromStdString(numberText(number)));
    }
}

void CheckRow::showProblem(const QString& sentence)
{
    showIfAny(*m_problem, sentence);
}

} // namespace flopsmith::ui

#include "moc_check_row.cpp"
