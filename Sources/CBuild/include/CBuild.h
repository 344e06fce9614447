#ifndef CBUILD_H
#define CBUILD_H

/// The commit of the sources, or `unknown`.
const char *_Nonnull build_commit(void);

/// The version of the Swift compiler, or `unknown`.
const char *_Nonnull build_swift_version(void);

#endif
