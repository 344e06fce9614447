"""Prints the SBOM of faketrack in SPDX 2.3.

    sbom.py <version> <commit> <Debian dependencies>

The time in SOURCE_DATE_EPOCH is that of the document.
"""

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HOME = "https://github.com/faketrack/faketrack"
LICENSES = {"GRDB.swift": "MIT"}


def package(name, version, license, location="NOASSERTION", **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
        "downloadLocation": location, "filesAnalyzed": False, "licenseConcluded": license,
        "licenseDeclared": license, "copyrightText": "NOASSERTION", **more}


def linked():
    """The packages whose code is in the executable."""
    for pin in json.loads(Path("Package.resolved").read_text())["pins"]:
        location, version = pin["location"], pin["state"]["version"]
        name = location.removesuffix(".git").rsplit("/", 1)[1]
        purl = location.removesuffix(".git").replace("https://", "pkg:swift/") + "@" + version
        yield package(
            name, version, LICENSES.get(name, "Apache-2.0"), f"git+{location}@{version}",
            externalRefs=[{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}])
    swift = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    yield package(
        "swift", re.search(r"Swift version (\S+)", swift)[1], "Apache-2.0 WITH Swift-exception AND Unicode-3.0",
        "https://github.com/swiftlang/swift")


version, commit, dependencies = sys.argv[1:]
main = package("faketrack", version, "Apache-2.0", f"git+{HOME}@{commit}")
static = list(linked())
data = [
    package("GeoNames", "NOASSERTION", "CC-BY-4.0", "https://download.geonames.org/export/dump/"),
    package("Natural-Earth", "NOASSERTION", "LicenseRef-public-domain", "https://www.naturalearthdata.com")]
system = [
    package(name, "NOASSERTION", "NOASSERTION")
    for name in sorted({part.split()[0] for part in dependencies.split(",")})]
related = [(static, "STATIC_LINK"), (data, "CONTAINS"), (system, "DYNAMIC_LINK")]
time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
print(json.dumps({
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"faketrack-{version}",
    "documentNamespace": f"{HOME}/spdx/{version}-{commit}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: faketrack"]},
    "packages": [main, *static, *data, *system],
    "hasExtractedLicensingInfos": [
        {"licenseId": "LicenseRef-public-domain", "extractedText": "Natural Earth is in the public domain."}],
    "relationships": [{
        "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
        "relatedSpdxElement": main["SPDXID"]}] + [
            {"spdxElementId": main["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
            for others, kind in related for other in others],
}, indent=2))
