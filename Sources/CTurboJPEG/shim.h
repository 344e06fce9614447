#ifndef FAKETRACK_CTURBOJPEG_SHIM_H
#define FAKETRACK_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
