// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/svg_text.h"

#include <QFont>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainterPath>
#include <QStringList>
#include <QTransform>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

namespace flopsmith::ui {
namespace {

QString number(double value)
{
    return QString::number(value, 'g', 6);
}

// Sizes of a drawing are fractions of a pixel, font sizes are not: so texts are measured large.
constexpr int kMeasuredPixels = 1000;

/// A text element of a drawing, with its font.
class DrawnText
{
public:
    DrawnText(const QXmlStreamAttributes& attributes, QString text)
        : m_attributes(attributes)
        , m_text(std::move(text))
        , m_font(attributes.value(QLatin1String("font-family")).toString())
    {
        m_font.setPixelSize(kMeasuredPixels);
        m_font.setHintingPreference(QFont::PreferNoHinting);
        m_font.setWeight(
            static_cast<QFont::Weight>(qBound(1, qRound(valueOf("font-weight")), 1000)));
        m_font.setItalic(attributes.value(QLatin1String("font-style")) == QLatin1String("italic"));
    }

    void writeAsText(QXmlStreamWriter& to) const
    {
        to.writeStartElement(QStringLiteral("text"));
        for (const QXmlStreamAttribute& attribute : m_attributes) {
            to.writeAttribute(attribute.qualifiedName() == QLatin1String("font-family")
                                  ? QXmlStreamAttribute(QStringLiteral("font-family"), families())
                                  : attribute);
        }
        // White space alone must not be stretched.
        if (const double width = QFontMetricsF(m_font).horizontalAdvance(m_text);
            width > 0.0 && !m_text.trimmed().isEmpty()) {
            to.writeAttribute(QStringLiteral("textLength"), number(width * scale()));
            to.writeAttribute(QStringLiteral("lengthAdjust"), QStringLiteral("spacingAndGlyphs"));
        }
        to.writeCharacters(m_text);
        to.writeEndElement();
    }

    void writeAsOutlines(QXmlStreamWriter& to) const
    {
        QPainterPath path;
        path.addText(0.0, 0.0, m_font, m_text);
        path =
            QTransform::fromTranslate(valueOf("x"), valueOf("y")).scale(scale(), scale()).map(path);
        to.writeStartElement(QStringLiteral("path"));
        for (const char* kept : {"fill", "fill-opacity", "stroke"}) {
            to.writeAttribute(QLatin1String(kept),
                              m_attributes.value(QLatin1String(kept)).toString());
        }
        to.writeAttribute(QStringLiteral("fill-rule"), QStringLiteral("nonzero"));
        to.writeAttribute(QStringLiteral("d"), outline(path));
        to.writeEndElement();
    }

private:
    double valueOf(const char* name) const
    {
        return m_attributes.value(QLatin1String(name)).toString().toDouble();
    }

    double scale() const { return valueOf("font-size") / kMeasuredPixels; }

    // Its own font, similar ones, and a generic family.
    QString families() const
    {
        QStringList families{m_font.family()};
        families << (QFontInfo(m_font).fixedPitch()
                         ? QStringList{"DejaVu Sans Mono", "Menlo", "Consolas", "monospace"}
                         : QStringList{
                             "Inter", "DejaVu Sans", "Helvetica Neue", "Arial", "sans-serif"});
        families.removeDuplicates();
        return families.join(QStringLiteral(", "));
    }

    // Curves of the third degree are three elements of a path.
    static QString outline(const QPainterPath& path)
    {
        QString text;
        for (int i = 0; i < path.elementCount(); ++i) {
            const QPainterPath::Element element = path.elementAt(i);
            switch (element.type) {
            case QPainterPath::MoveToElement: text += QLatin1Char('M'); break;
            case QPainterPath::LineToElement: text += QLatin1Char('L'); break;
            case QPainterPath::CurveToElement: text += QLatin1Char('C'); break;
            case QPainterPath::CurveToDataElement: text += QLatin1Char(' '); break;
            }
            text += number(element.x) + QLatin1Char(',') + number(element.y);
        }
        return text;
    }

    QXmlStreamAttributes m_attributes;
    QString m_text;
    QFont m_font;
};

} // namespace

QByteArray withPortableTexts(const QByteArray& svg, SvgText texts)
{
    QByteArray portable;
    QXmlStreamReader from(svg);
    from.setNamespaceProcessing(false); // otherwise every name gets a prefix, which HTML ignores
    QXmlStreamWriter to(&portable);
    while (!from.atEnd()) {
        from.readNext();
        if (from.isStartElement() && from.name() == QLatin1String("text")) {
            const QXmlStreamAttributes attributes = from.attributes();
            const DrawnText text(attributes, from.readElementText());
            texts == SvgText::asText ? text.writeAsText(to) : text.writeAsOutlines(to);
        } else if (from.isStartElement()) {
            to.writeStartElement(from.qualifiedName().toString());
            to.writeAttributes(from.attributes());
        } else if (from.tokenType() != QXmlStreamReader::Invalid) {
            to.writeCurrentToken(from);
        }
    }
    return from.hasError() ? svg : portable;
}

} // namespace flopsmith::ui
