// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/parameter_editor.h"

#include "ui/document/edits/parameter_edit.h"
#include "ui/document/selected_parameters.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/explain/explanation_text.h"
#include "ui/widgets/values/editor_controls.h"
#include "ui/widgets/values/value_accessible.h"
#include "ui/widgets/values/value_text.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>

namespace flopsmith::ui {
namespace {

constexpr int kBurstPause = 700; // milliseconds without a key that end a burst
constexpr int kMinCombo = 64; // a narrow panel elides the text instead of clipping the box

} // namespace

EditBurst::EditBurst(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kBurstPause);
    connect(&m_pause, &QTimer::timeout, this, [this] { m_document.history().endGesture(); });
}

void EditBurst::touch()
{
    if (!m_pause.isActive() || !m_document.history().isInGesture()) {
        m_document.history().beginGesture();
    }
    m_pause.start();
}

void EditBurst::finish()
{
    if (m_pause.isActive()) {
        m_pause.stop();
        m_document.history().endGesture();
    }
}

void connectTyping(ValueBox& box, Document& document, const std::function<Parameter()>& parameter)
{
    QObject::connect(&box,
                     &ValueBox::correctionRequested,
                     &document,
                     [&document, parameter](const FieldValue& typed) {
                         enterParameter(document, parameter(), typed);
                     });
    QObject::connect(
        &box, &ValueBox::refused, &document, [&document, parameter](const QString& typed) {
            enterText(document, parameter(), typed);
        });
}

EditorKind editorKind(const FieldValue& value)
{
    if (std::holds_alternative<bool>(value)) {
        return EditorKind::flag;
    }
    return std::holds_alternative<std::string>(value) ? EditorKind::choice : EditorKind::slider;
}

QString keyInBlock(const Parameter& parameter)
{
    const QString key = QString::fromStdString(parameter.key);
    return key.startsWith(QLatin1String("blocks["))
        ? QStringLiteral("block.") + key.mid(key.indexOf(QLatin1Char('.')) + 1)
        : key;
}

ParameterEditor::ParameterEditor(Document& document, Parameter parameter, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_parameter(std::move(parameter))
    , m_whatIs(whatIs(m_parameter))
{}

bool ParameterEditor::applies() const
{
    const ClassLock* held = classLockOf(m_document.classLocks().held(), m_parameter);
    return (held == nullptr || held->kind != ClassLock::Kind::hidden)
        && appliesInAll(m_document.scenario(), m_document.selection(), m_parameter);
}

bool ParameterEditor::isMixed() const
{
    return ui::isMixed(m_document.scenario(), m_document.selection(), m_parameter);
}

void ParameterEditor::name(QWidget& widget,
                           const char* control,
                           const QString& accessibleName) const
{
    widget.setObjectName(
        QStringLiteral("inspector.%1.%2").arg(keyInBlock(m_parameter), QLatin1String(control)));
    widget.setAccessibleName(accessibleName);
    if (dynamic_cast<const ValueBox*>(&widget) != nullptr) {
        explainWith(widget, m_whatIs); // it has the context menu of a text field
    } else {
        widget.setWhatsThis(m_whatIs); // the row has a menu
    }
}

ChoiceEditor::ChoiceEditor(Document& document, const Parameter& parameter, QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_label(new QLabel(fromUtf8(parameter.text.label), &parent))
    , m_combo(new QComboBox(&parent))
{
    const QString accessibleName =
        tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter));
    name(*m_label, "label", accessibleName);
    name(*m_combo, "combo", accessibleName);
    m_combo->view()->setAccessibleName(accessibleName);
    installValueAccessibility();
    m_combo->setPlaceholderText(kMixedText);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    guardAgainstWheel(*m_combo);
    m_label->setBuddy(m_combo);
    m_combo->setFixedHeight(controlHeight(*m_combo));
    m_combo->setMinimumWidth(kMinCombo);
    connect(m_combo, &QComboBox::activated, this, &ChoiceEditor::choose);
    show(parameter);
}

void ChoiceEditor::choose(int index)
{
    set(m_combo->itemText(index).toStdString());
}

void ChoiceEditor::show(const Parameter& parameter)
{
    take(parameter);
    const LegalValues allowed = legal();
    const QString text = QString::fromStdString(allowed.text());
    const QSignalBlocker blocker(m_combo);
    if (text != m_legalText) {
        m_legalText = text;
        m_combo->clear();
        for (const std::string_view choice : allowed.names()) {
            m_combo->addItem(fromUtf8(choice));
        }
    }
    m_combo->setToolTip(toolTip(allowed));
    m_label->setToolTip(m_combo->toolTip());
    m_combo->setAccessibleDescription(classText());
    const bool padlock = hasPadlock() || !m_combo->itemIcon(0).isNull(); // to draw, or to remove
    for (int index = 0; padlock && index < m_combo->count(); ++index) {
        m_combo->setItemIcon(index, lockIcon());
    }
    if (isMixed()) {
        m_combo->setCurrentIndex(-1);
    } else {
        m_combo->setCurrentText(boxText(value()));
    }
    m_label->setVisible(applies());
    m_combo->setVisible(applies());
}

FlagEditor::FlagEditor(Document& document, const Parameter& parameter, QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_box(new QCheckBox(fromUtf8(parameter.text.label), &parent))
{
    name(*m_box, "check", tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter)));
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0) // deprecates the other function
    constexpr auto kChanged = &QCheckBox::checkStateChanged;
#else
    constexpr auto kChanged = &QCheckBox::stateChanged;
#endif
    connect(m_box, kChanged, this, [this] { set(m_box->checkState() == Qt::Checked); });
    show(parameter);
}

void FlagEditor::show(const Parameter& parameter)
{
    take(parameter);
    const QSignalBlocker blocker(m_box);
    const LegalValues allowed = legal();
    const bool checked = std::get<bool>(value());
    m_box->setTristate(false);
    m_box->setCheckState(isMixed() ? Qt::PartiallyChecked : checked ? Qt::Checked : Qt::Unchecked);
    m_box->setEnabled(checked || allowed.contains(true));
    m_box->setToolTip(toolTip(allowed));
    m_box->setAccessibleDescription(classText());
    m_box->setIcon(lockIcon());
    m_box->setVisible(applies());
}

} // namespace flopsmith::ui

#include "moc_parameter_editor.cpp"
