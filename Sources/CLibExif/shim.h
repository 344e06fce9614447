#ifndef FAKETRACK_CLIBEXIF_SHIM_H
#define FAKETRACK_CLIBEXIF_SHIM_H

#include <libexif/exif-data.h>

#endif
