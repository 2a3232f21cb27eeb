// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/question_fields.h"

#include "core/teach/author/lesson_editing.h"
#include "ui/lessons/editor/lesson_draft.h"
#include "ui/lessons/editor/typed_field.h"
#include "ui/theme/utf8.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kWordLength = 50; ///< characters of a unit or a parameter
constexpr int kNumberLength = 30;
constexpr int kExpressionLength = 1'000;
constexpr double kSmallestEnd = 1e-12; ///< of a scale
constexpr double kLargestEnd = 1e30;
constexpr double kLargestFactor = 1e6;

QString fieldName(const QString& name)
{
    return QStringLiteral("lessonEditor.") + name;
}

double& scaleFrom(Ask& ask)
{
    return ask.from;
}

double& scaleTo(Ask& ask)
{
    return ask.to;
}

double& scaleFactor(Ask& ask)
{
    return ask.factor;
}

double& axisFrom(Ask& ask)
{
    return ask.axis.from;
}

double& axisTo(Ask& ask)
{
    return ask.axis.to;
}

QLabel* plainLabel(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(fieldName(QLatin1String(name)));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QVBoxLayout* boxIn(QVBoxLayout& column, QWidget*& box, const char* name, const QString& title)
{
    box = new QWidget(column.parentWidget());
    box->setObjectName(fieldName(QLatin1String(name)));
    box->setAccessibleName(title);
    auto* inner = new QVBoxLayout(box);
    inner->setContentsMargins(0, 0, 0, 0);
    column.addWidget(box);
    return inner;
}

} // namespace

QuestionFields::QuestionFields(LessonDraft& draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
{
    setObjectName(fieldName(QStringLiteral("question")));
    setAccessibleName(tr("Question"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    addOptions(*column);
    addScale(*column);
    addSketch(*column);
    addAnswer(*column);
}

void QuestionFields::edit(const QString& text, const AskEdit& change, const QString& field)
{
    const int step = m_draft.step();
    const LessonStep* now = m_draft.currentStep();
    if (now == nullptr || now->ask() == nullptr) {
        return;
    }
    m_draft.apply(
        text,
        [step, &change](Lesson& lesson) {
            change(std::get<Ask>(lesson.steps[static_cast<std::size_t>(step)].content));
        },
        field);
}

TypedLine* QuestionFields::addLine(QFormLayout& form,
                                   const char* name,
                                   const QString& label,
                                   int maxLength)
{
    auto* line = new TypedLine(fieldName(QLatin1String(name)), label, maxLength, this);
    form.addRow(label, line);
    return line;
}

void QuestionFields::addAnswer(QVBoxLayout& column)
{
    auto* form = new QFormLayout;
    m_expression = addLine(*form, "expression", tr("Answer"), kExpressionLength);
    m_expression->setPlaceholderText(tr("total() or argmax(flops('ffn'), flops('head'))"));
    connect(m_expression, &TypedLine::changed, this, [this] {
        showValue(std::nullopt);
        edit(
            tr("Answer"),
            [this](Ask& ask) { ask.answer.expression = m_expression->typed(); },
            QStringLiteral("expression"));
    });
    m_value = plainLabel("value", this);
    form->addRow(tr("Its value now"), m_value);
    m_golden = plainLabel("golden", this);
    form->addRow(tr("Golden"), m_golden);
    column.addLayout(form);
    m_take = addButton(column, "takeGolden", tr("&Take the value as golden"));
    connect(m_take, &QPushButton::clicked, this, &QuestionFields::takeGolden);
}

void QuestionFields::addOptions(QVBoxLayout& column)
{
    QVBoxLayout* inner = boxIn(column, m_optionBox, "options", tr("Options"));
    for (int i = 0; i < static_cast<int>(kMaxLessonOrdered); ++i) {
        const QString name = QStringLiteral("option%1").arg(i + 1);
        const Row row = addRow(*inner, name, false);
        m_options.push_back(row);
        row.text->setAccessibleName(tr("Option %1").arg(i + 1));
        row.text->setPlaceholderText(tr("Option %1").arg(i + 1));
        connect(row.text, &TypedLine::changed, this, [this, i, name] {
            const std::string text = m_options[static_cast<std::size_t>(i)].text->typed();
            const std::string key =
                m_draft.currentStep()->ask()->options.at(static_cast<std::size_t>(i));
            m_draft.apply(
                tr("Option"),
                [&](Lesson& lesson) { setText(lesson, m_language.toStdString(), key, text); },
                name + m_language);
        });
        connect(addRemove(row, name), &QToolButton::clicked, this, [this, i] {
            m_draft.apply(tr("Remove option"),
                          [this, i](Lesson& lesson) { removeOption(lesson, m_draft.step(), i); });
        });
    }
    m_addOption = addButton(*inner, "addOption", tr("Add &option"));
    connect(m_addOption, &QPushButton::clicked, this, [this] {
        m_draft.apply(tr("Add option"),
                      [this](Lesson& lesson) { addOption(lesson, m_draft.step()); });
    });
}

void QuestionFields::addNumber(QFormLayout& form,
                               const char* name,
                               const QString& label,
                               double low,
                               double high,
                               double& (*of)(Ask&))
{
    TypedLine* line = addLine(form, name, label, kNumberLength);
    m_numbers.push_back({line, of});
    connect(line, &TypedLine::changed, this, [this, line, low, high, of] {
        editNumber(*line, low, high, of);
    });
}

// Text that is not a number, or not a valid one, changes nothing.
void QuestionFields::editNumber(TypedLine& line, double low, double high, double& (*of)(Ask&))
{
    bool isNumber = false;
    const double number = line.text().trimmed().toDouble(&isNumber);
    if (isNumber && number >= low && number <= high) {
        edit(
            tr("Scale"), [number, of](Ask& ask) { of(ask) = number; }, line.objectName());
    }
}

void QuestionFields::addScale(QVBoxLayout& column)
{
    QVBoxLayout* inner = boxIn(column, m_scaleBox, "scale", tr("Scale"));
    auto* form = new QFormLayout;
    m_unit = addLine(*form, "unit", tr("Unit"), kWordLength);
    connect(m_unit, &TypedLine::changed, this, [this] {
        edit(
            tr("Unit"), [this](Ask& ask) { ask.unit = m_unit->typed(); }, QStringLiteral("unit"));
    });
    addNumber(*form, "from", tr("Scale from"), kSmallestEnd, kLargestEnd, scaleFrom);
    addNumber(*form, "to", tr("Scale to"), kSmallestEnd, kLargestEnd, scaleTo);
    addNumber(*form, "factor", tr("Right within a factor"), 1.0, kLargestFactor, scaleFactor);
    inner->addLayout(form);
}

void QuestionFields::addSketch(QVBoxLayout& column)
{
    QVBoxLayout* inner = boxIn(column, m_sketchBox, "sketch", tr("Sketch"));
    auto* form = new QFormLayout;
    m_parameter = addLine(*form, "parameter", tr("Axis: parameter"), kWordLength);
    connect(m_parameter, &TypedLine::changed, this, [this] {
        edit(
            tr("Axis"),
            [this](Ask& ask) { ask.axis.parameter = m_parameter->typed(); },
            QStringLiteral("parameter"));
    });
    addNumber(*form, "axisFrom", tr("Axis from"), kSmallestEnd, kLargestEnd, axisFrom);
    addNumber(*form, "axisTo", tr("Axis to"), kSmallestEnd, kLargestEnd, axisTo);
    inner->addLayout(form);
    for (int i = 0; i < static_cast<int>(kMaxLessonCurves); ++i) {
        const QString name = QStringLiteral("curve%1").arg(i + 1);
        const Row row = addRow(*inner, name, true);
        m_curves.push_back(row);
        row.text->setAccessibleName(tr("Name of curve %1").arg(i + 1));
        row.text->setPlaceholderText(tr("Name of curve %1").arg(i + 1));
        row.expression->setAccessibleName(tr("Expression of curve %1").arg(i + 1));
        row.expression->setPlaceholderText(QStringLiteral("flops('ffn')"));
        const auto index = static_cast<std::size_t>(i);
        connect(row.text, &TypedLine::changed, this, [this, index, name] {
            const std::string text = m_curves[index].text->typed();
            const std::string key = m_draft.currentStep()->ask()->curves.at(index).label;
            m_draft.apply(
                tr("Name of a curve"),
                [&](Lesson& lesson) { setText(lesson, m_language.toStdString(), key, text); },
                name + m_language);
        });
        connect(row.expression, &TypedLine::changed, this, [this, index, name] {
            edit(
                tr("Curve"),
                [this, index](Ask& ask) {
                    ask.curves.at(index).expression = m_curves[index].expression->typed();
                },
                name + QStringLiteral(".expression"));
        });
        connect(addRemove(row, name), &QToolButton::clicked, this, [this, i] {
            m_draft.apply(tr("Remove curve"),
                          [this, i](Lesson& lesson) { removeCurve(lesson, m_draft.step(), i); });
        });
    }
    m_addCurve = addButton(*inner, "addCurve", tr("Add c&urve"));
    connect(m_addCurve, &QPushButton::clicked, this, [this] {
        m_draft.apply(tr("Add curve"),
                      [this](Lesson& lesson) { addCurve(lesson, m_draft.step()); });
    });
}

QuestionFields::Row QuestionFields::addRow(QVBoxLayout& column,
                                           const QString& name,
                                           bool hasExpression)
{
    Row row;
    row.line = new QWidget(this);
    row.line->setObjectName(fieldName(name + QStringLiteral(".row")));
    row.line->setAccessibleName(tr("Row"));
    auto* line = new QHBoxLayout(row.line);
    line->setContentsMargins(0, 0, 0, 0);
    row.text = new TypedLine(fieldName(name), {}, kExpressionLength, row.line);
    line->addWidget(row.text, 1);
    if (hasExpression) {
        row.expression = new TypedLine(
            fieldName(name + QStringLiteral(".expression")), {}, kExpressionLength, row.line);
        line->addWidget(row.expression, 1);
    }
    column.addWidget(row.line);
    return row;
}

QToolButton* QuestionFields::addRemove(const Row& row, const QString& name)
{
    auto* button = new QToolButton(row.line);
    button->setObjectName(fieldName(name + QStringLiteral(".remove")));
    button->setText(QStringLiteral("\u2212"));
    button->setToolTip(tr("Remove"));
    button->setAccessibleName(tr("Remove: %1").arg(row.text->accessibleName()));
    row.line->layout()->addWidget(button);
    return button;
}

QPushButton* QuestionFields::addButton(QVBoxLayout& column, const char* name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(fieldName(QLatin1String(name)));
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    column.addWidget(button, 0, Qt::AlignLeft);
    return button;
}

void QuestionFields::takeGolden()
{
    Lesson edited = m_draft.lesson();
    if (m_draft.step() < 0) {
        return;
    }
    if (const Status taken = takeGoldens(edited, m_draft.step()); !taken) {
        showValue(Result<std::string>(taken.error()));
        return;
    }
    m_draft.apply(tr("Take golden"), [&edited](Lesson& lesson) { lesson = edited; });
}

void QuestionFields::showValue(const std::optional<Result<std::string>>& value)
{
    m_value->setText(!value       ? tr("…")
                         : *value ? QString::fromStdString(**value)
                                  : QString::fromStdString(value->error().message));
    m_value->setAccessibleName(m_value->text());
    m_take->setEnabled(value && *value);
}

void QuestionFields::showOptions(const Ask& ask)
{
    const std::string language = m_language.toStdString();
    const bool isChoice = ask.kind == QuestionKind::choice;
    m_optionBox->setVisible(isChoice || ask.kind == QuestionKind::order);
    for (std::size_t i = 0; i < m_options.size(); ++i) {
        const bool isThere = i < ask.options.size();
        m_options[i].line->setVisible(isThere);
        if (isThere) {
            m_options[i].text->show(m_draft.lesson().text(language, ask.options[i]));
        }
    }
    m_addOption->setEnabled(ask.options.size()
                            < (isChoice ? kMaxLessonChoices : kMaxLessonOrdered));
}

void QuestionFields::showCurves(const Ask& ask)
{
    m_sketchBox->setVisible(ask.kind == QuestionKind::sketch);
    m_parameter->show(ask.axis.parameter);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const bool isThere = i < ask.curves.size();
        m_curves[i].line->setVisible(isThere);
        if (isThere) {
            m_curves[i].text->show(
                m_draft.lesson().text(m_language.toStdString(), ask.curves[i].label));
            m_curves[i].expression->show(ask.curves[i].expression);
        }
    }
    m_addCurve->setEnabled(ask.curves.size() < kMaxLessonCurves);
}

void QuestionFields::show(const QString& language)
{
    m_language = language;
    const LessonStep* step = m_draft.currentStep();
    const Ask* asked = step == nullptr ? nullptr : step->ask();
    setVisible(asked != nullptr);
    if (asked == nullptr) {
        return;
    }
    Ask ask = *asked;
    m_expression->show(ask.answer.expression);
    m_golden->setText(ask.answer.golden.empty() ? tr("none yet") : fromUtf8(ask.answer.golden));
    m_unit->show(ask.unit);
    for (const NumberLine& number : m_numbers) {
        const double now = number.of(ask);
        if (number.line->text().trimmed().toDouble() != now) {
            number.line->setText(QString::number(now, 'g', 12));
        }
    }
    m_scaleBox->setVisible(ask.kind == QuestionKind::number);
    showOptions(ask);
    showCurves(ask);
}

} // namespace flopsmith::ui

#include "moc_question_fields.cpp"
