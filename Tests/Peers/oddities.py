"""Small GPX files, each with one thing in it that recorders and converters get wrong in practice."""


def gpx(content):
    return f'<gpx version="1.1" creator="test">{content}</gpx>'.encode()


def track(*points):
    return gpx(f"<trk><trkseg>{''.join(points)}</trkseg></trk>")


def point(content="", attributes='lat="52.25" lon="13.5"', element="trkpt"):
    return f"<{element} {attributes}>{content}</{element}>"


def timed(text):
    return track(point(), point(f"<time>{text}</time>"))


ODDITIES = {
    # Positions.
    "decimal comma": track(point(), point(attributes='lat="46,2" lon="7,5"')),
    "no latitude": track(point(), point(attributes='lon="13.5"')),
    "empty latitude": track(point(), point(attributes='lat="" lon="13.5"')),
    "latitude NaN": track(point(), point(attributes='lat="NaN" lon="13.5"')),
    "longitude beyond 180": track(point(), point(attributes='lat="52" lon="-180.096"')),
    "spaces around a latitude": track(point(attributes='lat=" 52.25 " lon="13.5"')),
    "latitude with an exponent": track(point(attributes='lat="5.225e1" lon="13.5"')),
    "latitude with a reference": track(point(attributes='lat="5&#50;.25" lon="13.5"')),
    # Elevations.
    "empty elevation": track(point("<ele></ele>")),
    "elevation with a unit": track(point(), point("<ele>12 m</ele>")),
    "elevation NaN": track(point(), point("<ele>NaN</ele>")),
    "elevation in CDATA": track(point("<ele><![CDATA[12.5]]></ele>")),
    # Times.
    "offset without a colon": timed("2026-05-01T10:00:00+0100"),
    "offset with a colon": timed("2026-05-01T10:00:00+01:00"),
    "no zone": timed("2026-05-01T10:00:00"),
    "space for the T": timed("2026-05-01 10:00:00Z"),
    "seven digits of a second": timed("2026-05-01T10:00:00.1234567Z"),
    "day that does not exist": timed("2026-02-30T10:00:00Z"),
    "leap second": timed("2016-12-31T23:59:60Z"),
    "hour 24": timed("2026-05-01T24:00:00Z"),
    "year 1234": timed("1234-12-12T08:00:00.123Z"),
    "year 4096": timed("4096-12-12T08:00:00.41Z"),
    "no seconds": timed("2026-05-01T10:00Z"),
    "zone in brackets": timed("2026-05-01T10:00:00+02:00[Europe/Brussels]"),
    # Places of elements.
    "no segment": gpx(f"<trk>{point()}</trk>"),
    "no track": gpx(point()),
    "track in metadata": gpx(f"<metadata><trk><trkseg>{point()}</trkseg></trk></metadata>"),
    "track in a track": gpx(f"<trk><trk><trkseg>{point()}</trkseg></trk></trk>"),
    "waypoint in a track": gpx(f"<trk>{point(element='wpt')}</trk>"),
    "waypoint in extensions": gpx(f"<extensions>{point(element='wpt')}</extensions>"),
    "wrapped": gpx(f"<box><trk><trkseg>{point()}</trkseg></trk></box>"),
    # XML.
    "prefix": track(point()).replace(b"<", b"<g:").replace(b"<g:/", b"</g:").replace(
        b"<g:gpx", b'<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"'),
    "prefix not declared": track(point("<x:a>1</x:a>")),
    "blank line first": b'\n<?xml version="1.0"?>' + track(point()),
    "entity of HTML": track(point("<name>12&deg;</name>")),
    "byte order mark": b"\xef\xbb\xbf" + track(point()),
    "UTF-16": '<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16")
    + track(point()).decode().encode("utf-16-le"),
    "stray byte": gpx("<name>a\N{NO-BREAK SPACE}b</name>").replace(b"\xc2", b"")
    .replace(b"</gpx>", point(element="wpt").encode() + b"</gpx>"),
    "long comment": track(point(), f"<!--{'walked ' * 300_000}-->", point()),
    "long name in CDATA": gpx(
        f"<trk><name><![CDATA[{'walked ' * 300_000}]]></name><trkseg>{point()}</trkseg></trk>"),
    "long processing instruction": track(point(), f"<?note {'walked ' * 300_000}?>", point()),
    "long white space": b"\n" * 2_000_000 + track(point()) + b" \n" * 2_000_000,
    "long attribute": track(point(f"<link href='{'walked' * 100_000}'/>")),
    "document type": b'<!DOCTYPE gpx [<!ENTITY a "b">]>' + track(point()),
    "cut off": track(point(), point())[:-20],
    "zeros at the end": track(point()) + b"\0" * 64,
    "garbage at the end": track(point()) + b"garbage",
    "ampersand": gpx("<name>a & b</name>" + point(element="wpt")),
}
