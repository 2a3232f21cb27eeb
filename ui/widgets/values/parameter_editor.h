// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"
#include "ui/document/document.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/widgets/values/stop_slider.h"
#include "ui/widgets/values/value_box.h"

#include <QIcon>
#include <QObject>
#include <QTimer>

#include <functional>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Merges key presses or wheel steps in quick succession into one undo step.
class EditBurst : public QObject
{
    Q_OBJECT

public:
    explicit EditBurst(Document& document, QObject* parent = nullptr);

    /// Call before a change by key or wheel.
    void touch();

    /// Ends the burst now.
    void finish();

private:
    Document& m_document;
    QTimer m_pause;
};

/// Passes typed text to the document, which accepts or corrects it with a notice.
void connectTyping(ValueBox& box, Document& document, const std::function<Parameter()>& parameter);

/// The kind of control of a parameter.
enum class EditorKind { slider, choice, flag };
EditorKind editorKind(const FieldValue& value);

/// "ffn.spectral.k_freq" of "blocks[6].ffn.spectral.k_freq": the part of a key that does not depend
/// on the number of the block.
QString keyInBlock(const Parameter& parameter);

/// The controls of one parameter, which show and set its value in the document.
class ParameterEditor : public QObject
{
    Q_OBJECT

public:
    ParameterEditor(Document& document, Parameter parameter, QObject* parent);

    /// Updates value and legal values from the document. `parameter` is the same parameter of a
    /// scenario of the same structure.
    virtual void show(const Parameter& parameter) = 0;

    const Parameter& parameter() const { return m_parameter; }

protected:
    Document& document() { return m_document; }
    void take(const Parameter& parameter) { m_parameter = parameter; }
    FieldValue value() const { return m_parameter.value(m_document.scenario()); }
    LegalValues legal() const { return m_parameter.legal(m_document.scenario()); }
    bool applies() const;
    bool isMixed() const; ///< whether it differs between the selected runs
    void set(const FieldValue& value) { setParameter(m_document, m_parameter, value); }
    void name(QWidget& widget, const char* control, const QString& accessibleName) const;
    QString toolTip(const LegalValues& legal) const;

    /// Of the document's rules: the tie of the parameter, or null, and whether it is locked.
    const Tie* tie() const;
    bool isLocked() const;
    QIcon lockIcon() const; ///< empty where no padlock is shown

    /// The class lock that holds for the parameter or, while the design is prepared, will hold; null
    /// if there is none.
    const ClassLock* classLock() const;
    bool isFixedForClass() const;
    bool hasPadlock() const;
    QString classText() const; ///< for students; empty without a class lock

    /// The bounds of a class that hold for the parameter, or null.
    const ClassLock* classBounds() const;

private:
    Document& m_document;
    Parameter m_parameter;
    QString m_whatIs; ///< the same while the parameter is of one kind
};

/// Label, symbol, slider, box and hint in one line of a grid.
class SliderEditor : public ParameterEditor
{
    Q_OBJECT

public:
    SliderEditor(Document& document,
                 const Parameter& parameter,
                 EditBurst& burst,
                 QGridLayout& grid,
                 int line,
                 QWidget& parent);

    void show(const Parameter& parameter) override;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectControls();
    void beginHold();
    void endHold();
    void readLegal(const LegalValues& allowed, std::vector<FieldValue>& stops);
    void showZero(const FieldValue& value);
    void showRule();
    void setTyped(const FieldValue& value);
    void setVisible(bool visible);

    EditBurst& m_burst;
    QLabel* m_label;
    QLabel* m_symbol;
    StopSlider* m_slider;
    ValueBox* m_box;
    QLabel* m_hint;
    QString m_legalText;
    QString m_sign; ///< name and colour of the icon in place of the symbol; empty: the symbol
    bool m_held = false;
};

/// Label and a list of named choices; the caller places them.
class ChoiceEditor : public ParameterEditor
{
    Q_OBJECT

public:
    ChoiceEditor(Document& document, const Parameter& parameter, QWidget& parent);

    void show(const Parameter& parameter) override;
    QLabel& label() { return *m_label; }
    QComboBox& combo() { return *m_combo; }

private:
    void choose(int index);

    QLabel* m_label;
    QComboBox* m_combo;
    QString m_legalText;
};

/// A check box; the caller places it.
class FlagEditor : public ParameterEditor
{
    Q_OBJECT

public:
    FlagEditor(Document& document, const Parameter& parameter, QWidget& parent);

    void show(const Parameter& parameter) override;
    QCheckBox& box() { return *m_box; }

private:
    QCheckBox* m_box;
};

} // namespace flopsmith::ui
