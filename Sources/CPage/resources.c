#include "CPage.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

#define TEXT(name) LITERAL(name)
#define LITERAL(name) #name

// The files of the page; to add one, name it here.
static const struct page_resource resources[] = {
#define FILE cities/cities.css
#include "resource.h"
#define FILE cities/cities.mjs
#include "resource.h"
#define FILE cities/city-card.mjs
#include "resource.h"
#define FILE cities/city-list.mjs
#include "resource.h"
#define FILE draw/draw.css
#include "resource.h"
#define FILE draw/draw.mjs
#include "resource.h"
#define FILE draw/positions.mjs
#include "resource.h"
#define FILE home/home.css
#include "resource.h"
#define FILE map/basemap.mjs
#include "resource.h"
#define FILE map/camera.mjs
#include "resource.h"
#define FILE map/cities-nearby.mjs
#include "resource.h"
#define FILE map/fitting.mjs
#include "resource.h"
#define FILE map/flight.mjs
#include "resource.h"
#define FILE map/follower.mjs
#include "resource.h"
#define FILE map/gestures.mjs
#include "resource.h"
#define FILE map/label-layer.mjs
#include "resource.h"
#define FILE map/labels.mjs
#include "resource.h"
#define FILE map/map-input.mjs
#include "resource.h"
#define FILE map/map-overlays.mjs
#include "resource.h"
#define FILE map/map-renderer.mjs
#include "resource.h"
#define FILE map/map.css
#include "resource.h"
#define FILE map/map.mjs
#include "resource.h"
#define FILE map/outlines.mjs
#include "resource.h"
#define FILE map/painter.mjs
#include "resource.h"
#define FILE map/pins.mjs
#include "resource.h"
#define FILE map/pointer.mjs
#include "resource.h"
#define FILE map/projection.mjs
#include "resource.h"
#define FILE map/street-map.mjs
#include "resource.h"
#define FILE map/thumbnails.mjs
#include "resource.h"
#define FILE map/tile-cache.mjs
#include "resource.h"
#define FILE map/tile-grid.mjs
#include "resource.h"
#define FILE map/tiles.mjs
#include "resource.h"
#define FILE map/track-colors.mjs
#include "resource.h"
#define FILE map/track-line.mjs
#include "resource.h"
#define FILE map/track-path.mjs
#include "resource.h"
#define FILE map/viewport.mjs
#include "resource.h"
#define FILE map/world-raster.mjs
#include "resource.h"
#define FILE map/world.bin
#include "resource.h"
#define FILE map/world.mjs
#include "resource.h"
#define FILE photos/lightbox.css
#include "resource.h"
#define FILE photos/lightbox.mjs
#include "resource.h"
#define FILE photos/photo-places.mjs
#include "resource.h"
#define FILE photos/shot.mjs
#include "resource.h"
#define FILE photos/stream.mjs
#include "resource.h"
#define FILE samples/avenue-day-small.webp
#include "resource.h"
#define FILE samples/avenue-day.webp
#include "resource.h"
#define FILE samples/avenue-morning-small.webp
#include "resource.h"
#define FILE samples/avenue-morning.webp
#include "resource.h"
#define FILE samples/birches-day-small.webp
#include "resource.h"
#define FILE samples/birches-day.webp
#include "resource.h"
#define FILE samples/birches-evening-small.webp
#include "resource.h"
#define FILE samples/birches-evening.webp
#include "resource.h"
#define FILE samples/bridge-dusk-small.webp
#include "resource.h"
#define FILE samples/bridge-dusk.webp
#include "resource.h"
#define FILE samples/bridge-morning-small.webp
#include "resource.h"
#define FILE samples/bridge-morning.webp
#include "resource.h"
#define FILE samples/houses-day-small.webp
#include "resource.h"
#define FILE samples/houses-day.webp
#include "resource.h"
#define FILE samples/houses-dusk-small.webp
#include "resource.h"
#define FILE samples/houses-dusk.webp
#include "resource.h"
#define FILE samples/lake-day-small.webp
#include "resource.h"
#define FILE samples/lake-day.webp
#include "resource.h"
#define FILE samples/lake-evening-small.webp
#include "resource.h"
#define FILE samples/lake-evening.webp
#include "resource.h"
#define FILE samples/meadow-day-small.webp
#include "resource.h"
#define FILE samples/meadow-day.webp
#include "resource.h"
#define FILE samples/meadow-evening-small.webp
#include "resource.h"
#define FILE samples/meadow-evening.webp
#include "resource.h"
#define FILE samples/mist-dusk-small.webp
#include "resource.h"
#define FILE samples/mist-dusk.webp
#include "resource.h"
#define FILE samples/mist-morning-small.webp
#include "resource.h"
#define FILE samples/mist-morning.webp
#include "resource.h"
#define FILE samples/park-day-small.webp
#include "resource.h"
#define FILE samples/park-day.webp
#include "resource.h"
#define FILE samples/park-morning-small.webp
#include "resource.h"
#define FILE samples/park-morning.webp
#include "resource.h"
#define FILE samples/rooftops-day-small.webp
#include "resource.h"
#define FILE samples/rooftops-day.webp
#include "resource.h"
#define FILE samples/rooftops-evening-small.webp
#include "resource.h"
#define FILE samples/rooftops-evening.webp
#include "resource.h"
#define FILE samples/sails-day-small.webp
#include "resource.h"
#define FILE samples/sails-day.webp
#include "resource.h"
#define FILE samples/sails-dusk-small.webp
#include "resource.h"
#define FILE samples/sails-dusk.webp
#include "resource.h"
#define FILE samples/terraces-day-small.webp
#include "resource.h"
#define FILE samples/terraces-day.webp
#include "resource.h"
#define FILE samples/terraces-evening-small.webp
#include "resource.h"
#define FILE samples/terraces-evening.webp
#include "resource.h"
#define FILE samples/town-dusk-small.webp
#include "resource.h"
#define FILE samples/town-dusk.webp
#include "resource.h"
#define FILE samples/town-night-small.webp
#include "resource.h"
#define FILE samples/town-night.webp
#include "resource.h"
#define FILE shared/animation.mjs
#include "resource.h"
#define FILE shared/format.mjs
#include "resource.h"
#define FILE shared/icon.svg
#include "resource.h"
#define FILE shared/page.css
#include "resource.h"
#define FILE shared/page.mjs
#include "resource.h"
#define FILE shared/parts.mjs
#include "resource.h"
#define FILE shared/server.mjs
#include "resource.h"
#define FILE shared/steps.mjs
#include "resource.h"
#define FILE shared/upload.mjs
#include "resource.h"
#define FILE story/story-map.mjs
#include "resource.h"
#define FILE story/story.css
#include "resource.h"
#define FILE story/story.mjs
#include "resource.h"
#define FILE walk/controls.mjs
#include "resource.h"
#define FILE walk/film.mjs
#include "resource.h"
#define FILE walk/legend.mjs
#include "resource.h"
#define FILE walk/notice.mjs
#include "resource.h"
#define FILE walk/poster.mjs
#include "resource.h"
#define FILE walk/scrubber.mjs
#include "resource.h"
#define FILE walk/track-profile.mjs
#include "resource.h"
#define FILE walk/tracking-events.mjs
#include "resource.h"
#define FILE walk/tracking.mjs
#include "resource.h"
#define FILE walk/walk.css
#include "resource.h"
};

size_t page_resource_count(void) { return sizeof resources / sizeof resources[0]; }

struct page_resource page_resource_at(size_t number) { return resources[number]; }
