#include "CPageResources.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

#define TEXT(name) LITERAL(name)
#define LITERAL(name) #name

// The files of the page; to add one, name it here.
static const struct page_resource resources[] = {
#define FILE animation.mjs
#include "resource.h"
#define FILE basemap.mjs
#include "resource.h"
#define FILE camera.mjs
#include "resource.h"
#define FILE cities-nearby.mjs
#include "resource.h"
#define FILE cities.mjs
#include "resource.h"
#define FILE city-card.mjs
#include "resource.h"
#define FILE city-list.mjs
#include "resource.h"
#define FILE format.mjs
#include "resource.h"
#define FILE gestures.mjs
#include "resource.h"
#define FILE icon.svg
#include "resource.h"
#define FILE keepsake.mjs
#include "resource.h"
#define FILE labels.mjs
#include "resource.h"
#define FILE lightbox.mjs
#include "resource.h"
#define FILE map-overlays.mjs
#include "resource.h"
#define FILE map-renderer.mjs
#include "resource.h"
#define FILE map.mjs
#include "resource.h"
#define FILE outlines.mjs
#include "resource.h"
#define FILE page.css
#include "resource.h"
#define FILE page.mjs
#include "resource.h"
#define FILE painter.mjs
#include "resource.h"
#define FILE parts.mjs
#include "resource.h"
#define FILE photo-places.mjs
#include "resource.h"
#define FILE pins.mjs
#include "resource.h"
#define FILE pointer.mjs
#include "resource.h"
#define FILE postcard.svg
#include "resource.h"
#define FILE poster.mjs
#include "resource.h"
#define FILE projection.mjs
#include "resource.h"
#define FILE scrubber.mjs
#include "resource.h"
#define FILE server.mjs
#include "resource.h"
#define FILE shot.mjs
#include "resource.h"
#define FILE stream.mjs
#include "resource.h"
#define FILE street-map.mjs
#include "resource.h"
#define FILE thumbnails.mjs
#include "resource.h"
#define FILE tile-cache.mjs
#include "resource.h"
#define FILE tile-grid.mjs
#include "resource.h"
#define FILE tiles.mjs
#include "resource.h"
#define FILE track-line.mjs
#include "resource.h"
#define FILE track-profile.mjs
#include "resource.h"
#define FILE tracking-events.mjs
#include "resource.h"
#define FILE tracking.mjs
#include "resource.h"
#define FILE upload.mjs
#include "resource.h"
#define FILE viewport.mjs
#include "resource.h"
#define FILE world-raster.mjs
#include "resource.h"
#define FILE world.bin
#include "resource.h"
#define FILE world.mjs
#include "resource.h"
};

size_t page_resource_count(void) { return sizeof resources / sizeof resources[0]; }

struct page_resource page_resource_at(size_t number) { return resources[number]; }
