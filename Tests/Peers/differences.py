"""Where gpxpy and gpsbabel read a file otherwise than faketrack does: who is right, and why.

The key is the reader, the file and what differs. All other files have to be read the same.
"""

INVENTED = (
    "faketrack is right: it reports the point and skips it; a position that the file does not have "
    "is not made up")
ALL_OR_NOTHING = "faketrack is right: it reports what one point lacks, and reads the others"
NOT_ON_EARTH = "faketrack is right: it reports the point and skips it; this is no place on Earth"
NO_ELEVATION = (
    "faketrack is right: it reports the elevation as unusable; 0 is a height that nobody measured")
LEVEL_MISSING = (
    "faketrack is right: what the point is can be told without the level that is missing")
SCHEMA = (
    "faketrack is right: XML with a prefix for the namespace of GPX means the same as without one")
WRAPPED = "faketrack is right: what is inside of an unknown element can be told all the same"
OUT_OF_PLACE = (
    "a matter of choice: the schema allows it nowhere there; faketrack reports it with its line and "
    "does not walk it")
LENIENT = (
    "a matter of choice: XML demands an error; faketrack reads on, as it is clear what is meant")
ENTITIES = (
    "a matter of choice: GPX has no document type, and attackers use it; faketrack refuses it and "
    "says why")

EXPLAINED = {
    ("gpxpy", "odd/decimal comma", "reads"): ALL_OR_NOTHING,
    ("gpsbabel", "odd/decimal comma", "tracks: count"): INVENTED,
    ("gpxpy", "odd/no latitude", "reads"): ALL_OR_NOTHING,
    ("gpsbabel", "odd/no latitude", "tracks: count"): INVENTED,
    ("gpxpy", "odd/empty latitude", "reads"): ALL_OR_NOTHING,
    ("gpsbabel", "odd/empty latitude", "tracks: count"): INVENTED,
    ("gpxpy", "odd/latitude NaN", "tracks: count"): NOT_ON_EARTH,
    ("gpsbabel", "odd/latitude NaN", "tracks: count"): NOT_ON_EARTH,
    ("gpxpy", "odd/longitude beyond 180", "tracks: count"): NOT_ON_EARTH,
    ("gpsbabel", "odd/longitude beyond 180", "tracks: count"): NOT_ON_EARTH,
    ("gpsbabel", "odd/empty elevation", "tracks: elevation"): NO_ELEVATION,
    ("gpxpy", "odd/elevation with a unit", "reads"): ALL_OR_NOTHING,
    ("gpsbabel", "odd/elevation with a unit", "tracks: elevation"): NO_ELEVATION,
    ("gpxpy", "odd/elevation NaN", "tracks: elevation"):
        "faketrack is right: it reports the elevation as unusable; NaN is no height",
    ("gpsbabel", "odd/elevation NaN", "tracks: elevation"):
        "faketrack is right: it reports the elevation as unusable; NaN is no height",
    ("gpsbabel", "odd/offset without a colon", "tracks: time"):
        "faketrack is right: +0100 is an hour; gpsbabel takes it for a hundred",
    ("gpsbabel", "odd/space for the T", "tracks: time"):
        "faketrack is right: gpsbabel reads the date and leaves out the time of day",
    ("gpxpy", "odd/leap second", "tracks: time"):
        "faketrack is right: the second 60 is in ISO 8601, and 2016 ended with one",
    ("gpsbabel", "odd/leap second", "tracks: time"):
        "faketrack is right: gpsbabel reads the date and leaves out the time of day",
    ("gpxpy", "odd/hour 24", "tracks: time"):
        "faketrack is right: 24:00 is in ISO 8601 (2004), the end of the day",
    ("gpsbabel", "odd/hour 24", "tracks: time"):
        "faketrack is right: 24:00 is the end of the day; gpsbabel reads its beginning",
    ("gpxpy", "odd/no seconds", "tracks: time"):
        "faketrack is right: ISO 8601 allows a time without seconds",
    ("gpxpy", "odd/zone in brackets", "tracks: time"):
        "faketrack is right: the name of the zone adds nothing to its offset (RFC 9557)",
    ("gpxpy", "odd/no segment", "tracks: count"): LEVEL_MISSING,
    ("gpxpy", "odd/no track", "tracks: count"): LEVEL_MISSING,
    ("gpsbabel", "odd/no track", "tracks: count"): LEVEL_MISSING,
    ("gpsbabel", "odd/track in a track", "tracks: count"): OUT_OF_PLACE,
    ("gpxpy", "odd/waypoint in a track", "waypoints: count"):
        "a matter of choice: the schema allows it nowhere there; faketrack reads it with a note, as gpsbabel does",
    ("gpxpy", "odd/wrapped", "tracks: count"): WRAPPED,
    ("gpsbabel", "odd/wrapped", "tracks: count"): WRAPPED,
    ("gpxpy", "odd/prefix", "tracks: count"): SCHEMA,
    ("gpsbabel", "odd/prefix", "tracks: count"): SCHEMA,
    ("gpxpy", "odd/prefix not declared", "reads"): LENIENT,
    ("gpsbabel", "odd/prefix not declared", "reads"): LENIENT,
    ("gpxpy", "odd/UTF-16", "reads"):
        "faketrack is right: every XML parser has to read UTF-16 (XML 1.0, 4.3.3)",
    ("gpxpy", "odd/stray byte", "reads"): LENIENT,
    ("gpsbabel", "odd/stray byte", "reads"): LENIENT,
    ("gpxpy", "odd/blank line first", "reads"): LENIENT,
    ("gpsbabel", "odd/blank line first", "reads"): LENIENT,
    ("gpxpy", "odd/entity of HTML", "reads"): LENIENT,
    ("gpsbabel", "odd/entity of HTML", "reads"): LENIENT,
    ("gpxpy", "odd/document type", "reads"): ENTITIES,
    ("gpsbabel", "odd/document type", "reads"): ENTITIES,
}
