#ifndef FAKETRACK_CLIBXML2_SHIM_H
#define FAKETRACK_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>

// Debian's libxml2 converts encodings with ICU and would include its headers, whose types clash
// with those of the ICU that Foundation brings. Only the last fields of a struct depend on it, and
// nothing here looks at that struct.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/// The version of the library in use, such as 20914. Swift does not read variables of C that may change.
static inline const char *faketrack_xml_version(void) { return xmlParserVersion; }

#endif
