// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_place.h"
#include "ui/document/document.h"

#include <QWidget>

#include <optional>

QT_BEGIN_NAMESPACE
class QCompleter;
class QLabel;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// An input line for the expression of a tie. Below it is the effect of the tie, or why it is
/// impossible. Enter ties, Esc closes; otherwise the line is hidden.
class TieLine : public QWidget
{
    Q_OBJECT

public:
    explicit TieLine(Document& document, QWidget* parent = nullptr);

    /// Shows the line for a parameter, with its present expression.
    void open(const Parameter& parameter);

    QLineEdit& box() { return *m_text; }
    QString message() const;

Q_SIGNALS:
    /// The line was closed by Enter, Esc or its button.
    void finished(const Parameter& parameter);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void take();
    void finish();
    void follow();
    void showPreview();
    void complete();
    void insertCompletion(const QString& name);
    void say(const QString& sentence, const char* role);

    Document& m_document;
    std::optional<Parameter> m_parameter;
    ParameterPlace m_place;
    QLabel* m_name;
    QLineEdit* m_text;
    QPushButton* m_take;
    QPushButton* m_cancel;
    QLabel* m_message;
    QCompleter* m_completer;
};

} // namespace flopsmith::ui
