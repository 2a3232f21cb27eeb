// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start/start_page.h"

#include "ui/document/document.h"
#include "ui/document/recent_files.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/settings/window_settings.h"
#include "ui/window/start/preset_delegate.h"
#include "ui/window/start/preset_model.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr QSize kStartSize(1120, 620);
constexpr int kChoiceCharacters = 28; ///< of the column of choices
constexpr int kShownRecent = 5;
constexpr int kCardSpacing = 6;
constexpr int kFilterMargin = 6; ///< beside the text of the filter

QLabel* heading(const QString& name, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(QStringLiteral("start.") + name);
    label->setAccessibleName(text);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QStringLiteral("section"));
    return label;
}

QListView* cardList(QAbstractItemModel& cards, QWidget* parent)
{
    auto* list = new QListView(parent);
    list->setObjectName(QStringLiteral("start.cards"));
    list->setAccessibleName(StartPage::tr("Presets"));
    list->setProperty("flush", true);
    list->setViewMode(QListView::IconMode);
    list->setMovement(QListView::Static);
    list->setResizeMode(QListView::Adjust);
    list->setSpacing(kCardSpacing);
    list->setUniformItemSizes(true);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setMouseTracking(true);
    list->setItemDelegate(new PresetDelegate(list));
    list->setModel(&cards);
    list->setCurrentIndex(cards.index(0, 0));
    return list;
}

} // namespace

StartPage::StartPage(const Document& document, FileOpening& files, QWidget& window)
    : QDialog(&window)
    , m_files(files)
    , m_presets(new PresetModel(document.lens(), this))
    , m_narrowed(new QSortFilterProxyModel(this))
    , m_filter(new QLineEdit(this))
    , m_cards(nullptr)
    , m_message(new QLabel(this))
{
    setObjectName(QStringLiteral("start"));
    setAccessibleName(tr("Start"));
    setWindowTitle(tr("Start – Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_message->setObjectName(QStringLiteral("start.message"));
    m_message->setAccessibleName(tr("Why nothing was opened"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setProperty("role", QStringLiteral("error"));
    m_message->setWordWrap(true);
    m_message->hide();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(createChoices());
    columns->addLayout(createCards(), 1);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(columns, 1);
    rows->addWidget(m_message);
    connect(&m_counting, &QTimer::timeout, this, [this] {
        if (!m_presets->countNext()) {
            m_counting.stop();
        }
    });
    m_counting.start(0);
    m_filter->setFocus();
    resizeToFit(*this, kStartSize);
}

QWidget* StartPage::createChoices()
{
    auto* choices = new QWidget(this);
    choices->setObjectName(QStringLiteral("start.choices"));
    choices->setAccessibleName(tr("Other starts"));
    choices->setFixedWidth(fontMetrics().averageCharWidth() * kChoiceCharacters);
    auto* column = new QVBoxLayout(choices);
    column->setContentsMargins(0, 0, 0, 0);
    auto* what =
        new QLabel(tr("Build a transformer and see at once what it costs: counted exactly, and "
                      "measured on your own machine."),
                   choices);
    what->setObjectName(QStringLiteral("start.what"));
    what->setAccessibleName(what->text());
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    column->addWidget(what);
    column->addSpacing(8);
    addChoice(*column, QStringLiteral("example"), tr("See an e&xample"), [this] {
        closeIf(m_files.startWith({presets().front().make(), {}}));
    });
    addChoice(*column, QStringLiteral("empty"), tr("&Build your own"), [this] {
        closeIf(m_files.startWith({newModel(), {}}));
    });
    addChoice(*column, QStringLiteral("open"), tr("&Open a config.json …"), [this] {
        closeIf(m_files.askAndOpen());
    });
    addChoice(*column, QStringLiteral("paste"), tr("&Paste a design"), [this] { paste(); });
    addChoice(*column, QStringLiteral("lessons"), tr("Take a &lesson …"), [this] {
        accept();
        Q_EMIT lessonsRequested();
    });
    addRecent(*column);
    column->addStretch(1);
    auto* atStart = new QCheckBox(tr("&Show at start"), choices);
    atStart->setObjectName(QStringLiteral("start.atStart"));
    atStart->setAccessibleName(tr("Show this page at the start of the program"));
    atStart->setChecked(storedStartPage());
    connect(atStart, &QCheckBox::toggled, this, &storeStartPage);
    column->addWidget(atStart);
    return choices;
}

void StartPage::addChoice(QVBoxLayout& column,
                          const QString& name,
                          const QString& text,
                          const std::function<void()>& act)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(QStringLiteral("start.") + name);
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    button->setAutoDefault(false); // Return opens the selected card
    connect(button, &QPushButton::clicked, this, act);
    column.addWidget(button);
}

void StartPage::addRecent(QVBoxLayout& column)
{
    const QStringList files = recentFiles().mid(0, kShownRecent);
    if (files.isEmpty()) {
        return;
    }
    column.addSpacing(8);
    column.addWidget(heading(QStringLiteral("recent"), tr("Recent files"), this));
    for (int i = 0; i < files.size(); ++i) {
        const QString& path = files[i];
        const QString name = QStringLiteral("recent%1").arg(i);
        const int width = fontMetrics().averageCharWidth() * (kChoiceCharacters - 4);
        QString text = fontMetrics().elidedText(QFileInfo(path).fileName(), Qt::ElideMiddle, width);
        addChoice(column, name, text.replace(QLatin1Char('&'), QLatin1String("&&")), [this, path] {
            closeIf(m_files.openRecent(path));
        });
        auto* button = findChild<QPushButton*>(QStringLiteral("start.") + name);
        button->setProperty("flat", true);
        button->setAccessibleName(tr("Open %1").arg(path));
        button->setToolTip(QDir::toNativeSeparators(path).toHtmlEscaped());
    }
}

QLayout* StartPage::createCards()
{
    m_narrowed->setSourceModel(m_presets);
    m_narrowed->setFilterRole(PresetModel::searchRole);
    m_narrowed->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setObjectName(QStringLiteral("start.filter"));
    m_filter->setAccessibleName(tr("Find a preset"));
    m_filter->setPlaceholderText(tr("Find a preset: llama, encoder, 12 blocks"));
    m_filter->setTextMargins(kFilterMargin, 0, kFilterMargin, 0);
    m_filter->installEventFilter(this);
    m_cards = cardList(*m_narrowed, this);
    connect(m_filter, &QLineEdit::textChanged, this, &StartPage::narrow);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { choose(m_cards->currentIndex()); });
    connect(m_cards, &QListView::clicked, this, &StartPage::choose);
    connect(m_cards, &QListView::activated, this, &StartPage::choose);
    auto* column = new QVBoxLayout;
    column->addWidget(m_filter);
    column->addLayout(createKinds());
    column->addWidget(m_cards, 1);
    return column;
}

// Each kind of presets narrows the cards as its typed name would.
QLayout* StartPage::createKinds()
{
    auto* line = new QHBoxLayout;
    const auto add = [this, line](const QString& name, const QString& text, const QString& typed) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QStringLiteral("start.kind.") + name);
        button->setAccessibleName(tr("Presets: %1").arg(text));
        button->setProperty("flat", true);
        button->setAutoDefault(false);
        connect(
            button, &QPushButton::clicked, m_filter, [this, typed] { m_filter->setText(typed); });
        line->addWidget(button);
    };
    add(QStringLiteral("all"), tr("All"), {});
    for (const PresetKind kind : {PresetKind::cheapFfns,
                                  PresetKind::decoder,
                                  PresetKind::experts,
                                  PresetKind::linear,
                                  PresetKind::encoder,
                                  PresetKind::vision}) {
        const QString text = fromUtf8(title(kind));
        add(QString::number(static_cast<int>(kind)), text, text.toLower());
    }
    line->addStretch(1);
    return line;
}

// Up and Down in the filter move to the cards.
bool StartPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            m_cards->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void StartPage::narrow(const QString& words)
{
    m_narrowed->setFilterFixedString(words.trimmed());
    m_cards->setCurrentIndex(m_narrowed->index(0, 0));
    say(m_narrowed->rowCount() > 0 ? QString()
                                   : tr("No preset is called like that or says it in its note."));
}

void StartPage::choose(const QModelIndex& card)
{
    if (!card.isValid() || !isVisible()) { // a click may also count as an activation
        return;
    }
    const auto preset = static_cast<std::size_t>(card.data(PresetModel::presetRole).toInt());
    closeIf(m_files.startWith(presets().at(preset).scenario()));
}

void StartPage::paste()
{
    const Result<bool> opened = m_files.openText(QGuiApplication::clipboard()->text());
    say(opened ? QString() : QString::fromStdString(opened.error().message));
    closeIf(opened && *opened);
}

void StartPage::say(const QString& sentence)
{
    m_message->setText(sentence);
    m_message->setVisible(!sentence.isEmpty());
}

void StartPage::closeIf(bool opened)
{
    if (opened) {
        accept();
    }
}

} // namespace flopsmith::ui

#include "moc_start_page.cpp"
