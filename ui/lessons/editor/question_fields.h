// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QFormLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LessonDraft;
class TypedLine;

/// A question of a lesson except for its texts: the answer with its value, options, the scale of a
/// number, the axis and curves of a sketch, the example of a build question.
class QuestionFields : public QWidget
{
    Q_OBJECT

public:
    explicit QuestionFields(LessonDraft& draft, QWidget* parent = nullptr);

    /// Shows the draft's current step, whose options and labels are in this language.
    void show(const QString& language);

    /// The present value of the answer; empty while it is computed.
    void showValue(const std::optional<Result<std::string>>& value);

private:
    /// A row of an option or a curve.
    struct Row
    {
        QWidget* line = nullptr;
        TypedLine* text = nullptr;
        TypedLine* expression = nullptr; ///< of a curve
    };

    using AskEdit = std::function<void(Ask&)>;
    void edit(const QString& text, const AskEdit& change, const QString& field);
    void editNumber(TypedLine& line, double low, double high, double& (*of)(Ask&));
    TypedLine* addLine(QFormLayout& form, const char* name, const QString& label, int maxLength);
    void addAnswer(QVBoxLayout& column);
    void addOptions(QVBoxLayout& column);
    void addScale(QVBoxLayout& column);
    void addSketch(QVBoxLayout& column);
    void addNumber(QFormLayout& form,
                   const char* name,
                   const QString& label,
                   double low,
                   double high,
                   double& (*of)(Ask&));
    Row addRow(QVBoxLayout& column, const QString& name, bool hasExpression);
    QToolButton* addRemove(const Row& row, const QString& name);
    QPushButton* addButton(QVBoxLayout& column, const char* name, const QString& text);
    void showOptions(const Ask& ask);
    void showCurves(const Ask& ask);
    void takeGolden();

    /// A line for a number, and which number it is.
    struct NumberLine
    {
        TypedLine* line;
        double& (*of)(Ask&);
    };

    LessonDraft& m_draft;
    QString m_language;
    TypedLine* m_expression = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_golden = nullptr;
    QPushButton* m_take = nullptr;
    QWidget* m_optionBox = nullptr;
    std::vector<Row> m_options;
    QPushButton* m_addOption = nullptr;
    QWidget* m_scaleBox = nullptr;
    TypedLine* m_unit = nullptr;
    QWidget* m_sketchBox = nullptr;
    TypedLine* m_parameter = nullptr;
    std::vector<Row> m_curves;
    QPushButton* m_addCurve = nullptr;
    std::vector<NumberLine> m_numbers;
};

} // namespace flopsmith::ui
