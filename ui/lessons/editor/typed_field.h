// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QPlainTextEdit>

#include <string>

namespace flopsmith::ui {

/// An input line for a text of a lesson. Emits typed text, not text that is set. Undo belongs to
/// the lesson, as for all fields.
class TypedLine : public QLineEdit
{
    Q_OBJECT

public:
    /// Of at most so many characters.
    TypedLine(const QString& name,
              const QString& accessibleName,
              int maxLength,
              QWidget* parent = nullptr);

    void show(const std::string& text);
    std::string typed() const;

    bool event(QEvent* event) override;

Q_SIGNALS:
    void changed();
};

/// A text of a lesson with several lines; Tab moves to the next field.
class TypedText : public QPlainTextEdit
{
    Q_OBJECT

public:
    TypedText(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);

    void show(const std::string& text);
    std::string typed() const;

    QSize sizeHint() const override;
    bool event(QEvent* event) override;

Q_SIGNALS:
    void changed();
};

} // namespace flopsmith::ui
