#ifndef FAKETRACK_CZLIB_SHIM_H
#define FAKETRACK_CZLIB_SHIM_H

#include <zlib.h>

#endif
