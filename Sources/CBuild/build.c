#include "CBuild.h"

// The manifest defines these from variables of the same names.
#ifndef FAKETRACK_COMMIT
#define FAKETRACK_COMMIT "unknown"
#endif
#ifndef FAKETRACK_SWIFT
#define FAKETRACK_SWIFT "unknown"
#endif

const char *build_commit(void) { return FAKETRACK_COMMIT; }

const char *build_swift_version(void) { return FAKETRACK_SWIFT; }
