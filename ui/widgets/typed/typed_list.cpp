// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/typed/typed_list.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace flopsmith::ui {
namespace {

constexpr int kTypedMargin = 10;
constexpr int kTypedSpacing = 6;

} // namespace

TypedList::TypedList(const QString& name, const QString& accessibleName, QWidget& parent)
    : QFrame(&parent)
    , m_box(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_note(new QLabel(this))
    , m_model(new TypedListModel(this))
{
    setObjectName(name);
    setProperty("panel", true);
    setProperty("takesEscape", true);
    build();
    setPrompt(accessibleName);
    connect(m_box, &QLineEdit::textChanged, this, &TypedList::showFound);
    connect(m_list, &QListView::clicked, this, &TypedList::runCurrent);
    m_box->installEventFilter(this);
    parent.installEventFilter(this);
    hide();
}

void TypedList::setPrompt(const QString& accessibleName)
{
    setAccessibleName(accessibleName);
    m_box->setAccessibleName(accessibleName);
    m_box->setPlaceholderText(accessibleName);
}

void TypedList::build()
{
    m_box->setObjectName(objectName() + QStringLiteral(".box"));
    m_box->setTextMargins(kTypedSpacing, 0, kTypedSpacing, 0);
    m_list->setObjectName(objectName() + QStringLiteral(".list"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setProperty("flush", true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new TypedListDelegate(*m_model, m_list));
    m_note->setObjectName(objectName() + QStringLiteral(".note"));
    m_note->setAccessibleName(tr("About the current entry"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kTypedMargin, kTypedMargin, kTypedMargin, kTypedMargin);
    column->setSpacing(kTypedSpacing);
    column->addWidget(m_box);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    connect(
        m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &TypedList::showNote);
}

void TypedList::open(std::vector<TypedEntry> entries, const QRect& place)
{
    if (!isVisible()) {
        m_before = QApplication::focusWidget();
        for (const QWidget* widget = m_before; widget != nullptr; widget = widget->parentWidget()) {
            if (const auto* other = qobject_cast<const TypedList*>(widget)) {
                m_before = other->m_before; // the other list closes when it loses the focus
                break;
            }
        }
    }
    m_entries = std::move(entries);
    m_place = place;
    m_box->clear();
    showFound();
    show();
    fit(); // once more with the type of the shown widgets
    raise();
    m_box->setFocus(Qt::ShortcutFocusReason);
}

void TypedList::dismiss()
{
    if (m_before != nullptr) {
        m_before->setFocus(Qt::OtherFocusReason);
    }
    hide();
}

int TypedList::current() const
{
    return m_list->currentIndex().row();
}

QString TypedList::note() const
{
    return m_note->text();
}

void TypedList::showFound()
{
    const QString query = m_box->text();
    std::vector<TypedRow> found;
    if (m_source) {
        for (TypedEntry& entry : m_source(query)) {
            found.push_back({std::move(entry)});
        }
    }
    std::vector<TypedRow> matching = foundRows(m_entries, query);
    std::move(matching.begin(), matching.end(), std::back_inserter(found));
    m_model->show(std::move(found));
    setCurrent(0);
    showNote();
}

void TypedList::showNote()
{
    QString text;
    const int row = current();
    if (rows().empty()) {
        text = tr("Nothing is called “%1”.").arg(m_box->text().trimmed());
    } else if (row >= 0) {
        const TypedEntry& entry = rows()[static_cast<std::size_t>(row)].entry;
        text = entry.refusal.isEmpty() ? entry.help : entry.refusal;
    }
    m_note->setText(text);
    m_note->setAccessibleDescription(text);
    m_box->setAccessibleDescription(row < 0 ? text
                                            : rows()[static_cast<std::size_t>(row)].entry.title);
    fit();
}

int TypedList::rowHeight() const
{
    return std::max(1, m_list->sizeHintForRow(0));
}

void TypedList::fit()
{
    const int width = m_place.width();
    // Two lines are kept for the note, so that the box does not jump from entry to entry.
    m_note->setFixedHeight(std::max(2 * m_note->fontMetrics().lineSpacing(),
                                    m_note->heightForWidth(width - 2 * kTypedMargin)));
    const int fixed = 2 * (kTypedMargin + frameWidth()) + m_box->sizeHint().height()
        + m_note->height() + 2 * kTypedSpacing;
    const int maxHeight = std::max(rowHeight(), m_place.height() - fixed);
    const int wanted = static_cast<int>(rows().size()) * rowHeight() + 2;
    const int height = fixed + std::min(wanted, maxHeight);
    const QRect limits = parentWidget()->rect();
    const int left = std::clamp(m_place.left(), 0, std::max(0, limits.width() - width));
    const int top = std::clamp(m_place.top(), 0, std::max(0, limits.height() - height));
    setGeometry(left, top, width, height);
}

void TypedList::setCurrent(int row)
{
    if (!rows().empty()) {
        const int last = static_cast<int>(rows().size()) - 1;
        const QModelIndex index = m_model->index(std::clamp(row, 0, last));
        m_list->setCurrentIndex(index);
        m_list->scrollTo(index);
    }
}

void TypedList::runCurrent()
{
    const int row = current();
    if (row < 0 || !rows()[static_cast<std::size_t>(row)].entry.refusal.isEmpty()) {
        return; // the note gives the reason
    }
    const TypedEntry entry =
        rows()[static_cast<std::size_t>(row)].entry; // a copy, as it may reopen this
    dismiss();
    Q_EMIT chosen(entry.id);
    entry.run();
}

bool TypedList::takeKey(int key)
{
    if (!isVisible()) {
        return false;
    }
    const int page = std::max(1, m_list->viewport()->height() / rowHeight() - 1);
    switch (key) {
    case Qt::Key_Up: setCurrent(current() - 1); return true;
    case Qt::Key_Down: setCurrent(current() + 1); return true;
    case Qt::Key_PageUp: setCurrent(current() - page); return true;
    case Qt::Key_PageDown: setCurrent(current() + page); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: runCurrent(); return true;
    case Qt::Key_Escape: dismiss(); return true;
    default: return false;
    }
}

bool TypedList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_box && event->type() == QEvent::KeyPress
        && takeKey(static_cast<QKeyEvent*>(event)->key())) {
        return true;
    }
    if (watched == m_box && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
            hide();
        }
    }
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) {
        dismiss();
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace flopsmith::ui

#include "moc_typed_list.cpp"
