// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/share/share_dialog.h"

#include "core/base/text_file.h"
#include "core/share/share_code.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/qr_picture.h"
#include "ui/widgets/save_path.h"
#include "ui/window/share/qr_view.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr QSize kShareSize(560, 520);
constexpr int kSavedModule = 8; ///< pixels of a module in a PNG file

} // namespace

ShareDialog::ShareDialog(const QString& code, QWidget& window)
    : QDialog(&window)
    , m_result(new QLabel(this))
{
    const QString link = QString::fromStdString(shareLink(code.toStdString()));
    setObjectName(QStringLiteral("share"));
    setAccessibleName(tr("Share"));
    setWindowTitle(tr("Share – Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_result->setObjectName(QStringLiteral("share.result"));
    m_result->setAccessibleName(tr("What was done"));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    auto* rows = new QVBoxLayout(this);
    addLine(*rows, QStringLiteral("code"), tr("&Code, for a mail or a slide"), code);
    addLine(*rows, QStringLiteral("link"), tr("&Link, which opens Flopsmith"), link);
    addPicture(*rows, link);
    rows->addWidget(m_result);
    rows->addLayout(createButtons());
    resizeToFit(*this, kShareSize);
}

// A text to be read and selected, with a button that copies all of it.
void ShareDialog::addLine(QVBoxLayout& rows,
                          const QString& name,
                          const QString& title,
                          const QString& text)
{
    const QString object = QStringLiteral("share.") + name;
    auto* line = new QLineEdit(text, this);
    line->setObjectName(object);
    line->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    line->setReadOnly(true);
    line->setCursorPosition(0);
    auto* heading = new QLabel(title, this);
    heading->setObjectName(object + QStringLiteral(".heading"));
    heading->setBuddy(line);
    auto* copy = new QPushButton(tr("Copy"), this);
    copy->setObjectName(object + QStringLiteral(".copy"));
    copy->setAccessibleName(tr("Copy: %1").arg(line->accessibleName()));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this, text] {
        QGuiApplication::clipboard()->setText(text);
        m_result->setText(tr("It is on the clipboard: %1 characters.").arg(text.size()));
    });
    auto* row = new QHBoxLayout;
    row->addWidget(line, 1);
    row->addWidget(copy);
    rows.addWidget(heading);
    rows.addLayout(row);
}

void ShareDialog::addPicture(QVBoxLayout& rows, const QString& link)
{
    Result<QrCode> picture = QrCode::create(link.toStdString());
    if (!picture) {
        m_result->setText(QString::fromStdString(picture.error().message));
        return;
    }
    m_picture = *picture;
    auto* view = new QrView(*picture, this);
    view->setObjectName(QStringLiteral("share.picture"));
    view->setAccessibleName(tr("QR code of the link"));
    view->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    rows.addWidget(view);
}

QHBoxLayout* ShareDialog::createButtons()
{
    auto* save = new QPushButton(tr("Save &picture…"), this);
    save->setObjectName(QStringLiteral("share.save"));
    save->setAutoDefault(false);
    save->setEnabled(m_picture.has_value());
    connect(save, &QPushButton::clicked, this, &ShareDialog::askAndSave);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("share.close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(save);
    buttons->addStretch(1);
    buttons->addWidget(close);
    return buttons;
}

void ShareDialog::askAndSave()
{
    const QString path = askSavePath(*this,
                                     tr("Save the QR code"),
                                     QDir::home().filePath(QStringLiteral("share-code.svg")),
                                     tr("Drawing (*.svg);;Picture (*.png)"));
    if (!path.isEmpty()) {
        savePicture(path);
    }
}

bool ShareDialog::savePicture(const QString& path)
{
    if (!m_picture) {
        return false;
    }
    const bool isSvg = QFileInfo(path).suffix().toLower() == QLatin1String("svg");
    const Status saved =
        writeFile(QFile::encodeName(path).toStdString(),
                  isSvg ? qrSvg(*m_picture) : qrPng(*m_picture, kSavedModule).toStdString());
    m_result->setText(saved ? tr("Saved %1").arg(QDir::toNativeSeparators(path))
                            : QString::fromStdString(saved.error().message));
    return saved.ok();
}

} // namespace flopsmith::ui

#include "moc_share_dialog.cpp"
