#ifndef FAKETRACK_CTURBOJPEG_SHIM_H
#define FAKETRACK_CTURBOJPEG_SHIM_H

#include <stdlib.h>
#include <turbojpeg.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Makes glibc return large freed blocks to the system. By default, it keeps them for each thread.
static inline void faketrack_return_large_blocks(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

#endif
