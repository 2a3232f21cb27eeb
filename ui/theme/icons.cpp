// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Resources of a static library must be initialised explicitly, outside of any namespace.
static void loadIconResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace flopsmith::ui {
namespace {

constexpr int kSize = 16;

QByteArray contents(const QString& name)
{
    loadIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap rendered(QSvgRenderer& renderer, int size, int ratio)
{
    QPixmap pixmap(size * ratio, size * ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, size * ratio, size * ratio));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

QIcon icon(const QByteArray& svg, int size)
{
    QSvgRenderer renderer(svg);
    QIcon made;
    for (const int ratio : {1, 2, 3}) {
        made.addPixmap(rendered(renderer, size, ratio));
    }
    return made;
}

} // namespace

QIcon themedIcon(const QString& name, const QColor& colour)
{
    return icon(contents(name).replace("currentColor", colour.name().toLatin1()), kSize);
}

QIcon programIcon()
{
    constexpr int kWindowIcon = 64;
    return icon(contents(QStringLiteral("flopsmith")), kWindowIcon);
}

} // namespace flopsmith::ui
