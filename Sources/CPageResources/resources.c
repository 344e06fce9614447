#include "CPageResources.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char camera_mjs[] = {
#embed "files/camera.mjs"
};
static const unsigned char cities_nearby_mjs[] = {
#embed "files/cities-nearby.mjs"
};
static const unsigned char cities_mjs[] = {
#embed "files/cities.mjs"
};
static const unsigned char city_card_mjs[] = {
#embed "files/city-card.mjs"
};
static const unsigned char city_list_mjs[] = {
#embed "files/city-list.mjs"
};
static const unsigned char format_mjs[] = {
#embed "files/format.mjs"
};
static const unsigned char furniture_mjs[] = {
#embed "files/furniture.mjs"
};
static const unsigned char gestures_mjs[] = {
#embed "files/gestures.mjs"
};
static const unsigned char glide_mjs[] = {
#embed "files/glide.mjs"
};
static const unsigned char ground_mjs[] = {
#embed "files/ground.mjs"
};
static const unsigned char icon_svg[] = {
#embed "files/icon.svg"
};
static const unsigned char labels_mjs[] = {
#embed "files/labels.mjs"
};
static const unsigned char lightbox_mjs[] = {
#embed "files/lightbox.mjs"
};
static const unsigned char map_mjs[] = {
#embed "files/map.mjs"
};
static const unsigned char outlines_mjs[] = {
#embed "files/outlines.mjs"
};
static const unsigned char page_css[] = {
#embed "files/page.css"
};
static const unsigned char page_mjs[] = {
#embed "files/page.mjs"
};
static const unsigned char painter_mjs[] = {
#embed "files/painter.mjs"
};
static const unsigned char parts_mjs[] = {
#embed "files/parts.mjs"
};
static const unsigned char pinned_mjs[] = {
#embed "files/pinned.mjs"
};
static const unsigned char pins_mjs[] = {
#embed "files/pins.mjs"
};
static const unsigned char pointing_mjs[] = {
#embed "files/pointing.mjs"
};
static const unsigned char projection_mjs[] = {
#embed "files/projection.mjs"
};
static const unsigned char scrubber_mjs[] = {
#embed "files/scrubber.mjs"
};
static const unsigned char sight_mjs[] = {
#embed "files/sight.mjs"
};
static const unsigned char stream_mjs[] = {
#embed "files/stream.mjs"
};
static const unsigned char street_map_mjs[] = {
#embed "files/street-map.mjs"
};
static const unsigned char tile_cache_mjs[] = {
#embed "files/tile-cache.mjs"
};
static const unsigned char tile_grid_mjs[] = {
#embed "files/tile-grid.mjs"
};
static const unsigned char tiles_mjs[] = {
#embed "files/tiles.mjs"
};
static const unsigned char track_line_mjs[] = {
#embed "files/track-line.mjs"
};
static const unsigned char tracking_mjs[] = {
#embed "files/tracking.mjs"
};
static const unsigned char upload_mjs[] = {
#embed "files/upload.mjs"
};
static const unsigned char world_raster_mjs[] = {
#embed "files/world-raster.mjs"
};
static const unsigned char world_bin[] = {
#embed "files/world.bin"
};
static const unsigned char world_mjs[] = {
#embed "files/world.mjs"
};

#define RESOURCE(name, array) {name, array, sizeof array}

static const struct page_resource resources[] = {
    RESOURCE("camera.mjs", camera_mjs),
    RESOURCE("cities-nearby.mjs", cities_nearby_mjs),
    RESOURCE("cities.mjs", cities_mjs),
    RESOURCE("city-card.mjs", city_card_mjs),
    RESOURCE("city-list.mjs", city_list_mjs),
    RESOURCE("format.mjs", format_mjs),
    RESOURCE("furniture.mjs", furniture_mjs),
    RESOURCE("gestures.mjs", gestures_mjs),
    RESOURCE("glide.mjs", glide_mjs),
    RESOURCE("ground.mjs", ground_mjs),
    RESOURCE("icon.svg", icon_svg),
    RESOURCE("labels.mjs", labels_mjs),
    RESOURCE("lightbox.mjs", lightbox_mjs),
    RESOURCE("map.mjs", map_mjs),
    RESOURCE("outlines.mjs", outlines_mjs),
    RESOURCE("page.css", page_css),
    RESOURCE("page.mjs", page_mjs),
    RESOURCE("painter.mjs", painter_mjs),
    RESOURCE("parts.mjs", parts_mjs),
    RESOURCE("pinned.mjs", pinned_mjs),
    RESOURCE("pins.mjs", pins_mjs),
    RESOURCE("pointing.mjs", pointing_mjs),
    RESOURCE("projection.mjs", projection_mjs),
    RESOURCE("scrubber.mjs", scrubber_mjs),
    RESOURCE("sight.mjs", sight_mjs),
    RESOURCE("stream.mjs", stream_mjs),
    RESOURCE("street-map.mjs", street_map_mjs),
    RESOURCE("tile-cache.mjs", tile_cache_mjs),
    RESOURCE("tile-grid.mjs", tile_grid_mjs),
    RESOURCE("tiles.mjs", tiles_mjs),
    RESOURCE("track-line.mjs", track_line_mjs),
    RESOURCE("tracking.mjs", tracking_mjs),
    RESOURCE("upload.mjs", upload_mjs),
    RESOURCE("world-raster.mjs", world_raster_mjs),
    RESOURCE("world.bin", world_bin),
    RESOURCE("world.mjs", world_mjs),
};

size_t page_resource_count(void) { return sizeof resources / sizeof resources[0]; }

struct page_resource page_resource_at(size_t number) { return resources[number]; }
