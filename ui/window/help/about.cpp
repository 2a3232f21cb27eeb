// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/about.h"

#include "core/io/project/version.h"
#include "ui/theme/icons.h"
#include "ui/widgets/layout/fit_screen.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>

#include <array>

namespace flopsmith::ui {
namespace {

constexpr QSize kAboutSize(560, 420);

struct Library
{
    const char* name;
    const char* licence;
    const char* use;
};

constexpr std::array<Library, 10> kLibraries{{
    {"GiNaC, CLN", "GPL 2 or later", QT_TRANSLATE_NOOP("About", "formulas")},
    {"SQLite", "public domain", QT_TRANSLATE_NOOP("About", "the store of measurements")},
    {"JSON for Modern C++", "MIT", QT_TRANSLATE_NOOP("About", "files and messages")},
    {"CLI11", "BSD 3-clause", QT_TRANSLATE_NOOP("About", "the command line")},
    {"FFTW",
     "GPL 2 or later",
     QT_TRANSLATE_NOOP("About", "Fourier transforms of the measuring program")},
    {"oneDNN", "Apache 2.0", QT_TRANSLATE_NOOP("About", "its large matrix products")},
    {"Eigen", "MPL 2.0", QT_TRANSLATE_NOOP("About", "the same where oneDNN is not built in")},
    {"zlib", "zlib", QT_TRANSLATE_NOOP("About", "share codes")},
    {"libqrencode", "LGPL 2.1 or later", QT_TRANSLATE_NOOP("About", "their QR codes")},
    {"Bootstrap Icons", "MIT", QT_TRANSLATE_NOOP("About", "icons")},
}};

QString librariesText()
{
    QString rows =
        QStringLiteral("<tr><td>Qt %1&nbsp;&nbsp;</td><td>GPL 3&nbsp;&nbsp;</td><td>%2</td></tr>")
            .arg(QLatin1String(qVersion()), About::tr("window and charts"));
    for (const Library& library : kLibraries) {
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(QLatin1String(library.name),
                         QLatin1String(library.licence),
                         About::tr(library.use));
    }
    return QStringLiteral("<table cellspacing='3'>%1</table>").arg(rows);
}

QString text()
{
    return About::tr("<h3>Flopsmith %1</h3>"
                     "<p>What transformer architectures cost: counted exactly, drawn, measured.</p>"
                     "<p>The programs are free software under the GNU General Public License, "
                     "version 3 or later, without any warranty; most of <i>core</i> is under the "
                     "MIT licence. The file LICENSE says which folder has which.</p>"
                     "<p>Built on</p>%2")
        .arg(QString::fromUtf8(programVersion().data(),
                               static_cast<qsizetype>(programVersion().size())),
             librariesText());
}

} // namespace

About::About(QWidget* window)
    : QDialog(window)
{
    setObjectName(QStringLiteral("help.about.dialog"));
    setAccessibleName(tr("About Flopsmith"));
    setWindowTitle(tr("About Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* icon = new QLabel(this);
    icon->setObjectName(QStringLiteral("help.about.icon"));
    icon->setPixmap(programIcon().pixmap(56));
    auto* label = new QLabel(text(), this);
    label->setObjectName(QStringLiteral("help.about.text"));
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setAlignment(Qt::AlignTop);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(label);
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* grid = new QGridLayout(this);
    grid->setHorizontalSpacing(18);
    grid->addWidget(icon, 0, 0, Qt::AlignTop);
    grid->addWidget(area, 0, 1);
    grid->addWidget(close, 1, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    resizeToFit(*this, kAboutSize);
}

} // namespace flopsmith::ui

#include "moc_about.cpp"
