// swift-tools-version: 6.1

import PackageDescription

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "faketrack",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "faketrack", targets: ["faketrack"]),
    .library(name: "Geodesy", targets: ["Geodesy"]),
    .library(name: "GPX", targets: ["GPX"]),
    .library(name: "Locations", targets: ["Locations"]),
    .library(name: "PhotoSearch", targets: ["PhotoSearch"]),
    .library(name: "Cities", targets: ["Cities"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "Geodesy"),
    .target(name: "GPX", dependencies: ["Geodesy", "CLibXML2", "CZlib"]),
    .target(name: "Locations", dependencies: ["Geodesy"]),
    .target(name: "FaketrackServices", dependencies: [logging]),
    .target(name: "PhotoSearch", dependencies: ["Geodesy", "FaketrackServices", logging]),
    .target(name: "CCityData", exclude: ["cities.bin"]),
    .target(
      name: "Cities",
      dependencies: ["Geodesy", "FaketrackServices", "CCityData", "CZlib", logging]),
    .target(
      name: "FaketrackStore",
      dependencies: [
        "Cities", "PhotoSearch", "FaketrackServices", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "FaketrackFeatures",
      dependencies: ["Geodesy", "GPX", "Locations", "PhotoSearch", "Cities", "FaketrackServices"]),
    .target(name: "FaketrackTerminal", dependencies: ["FaketrackFeatures"]),
    .target(name: "CPageResources", exclude: ["files"]),
    .target(
      name: "FaketrackWeb",
      dependencies: [
        "FaketrackFeatures", "CPageResources", .product(name: "FlyingFox", package: "FlyingFox"),
      ]),
    .executableTarget(
      name: "faketrack",
      dependencies: [
        "FaketrackTerminal", "FaketrackWeb", "FaketrackStore", logging,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "FaketrackTestSupport",
      dependencies: [
        "Geodesy", "FaketrackServices", logging, .product(name: "FlyingFox", package: "FlyingFox"),
      ]),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "FaketrackTestSupport"],
      exclude: ["make-fixtures"]),
    .testTarget(name: "LocationsTests", dependencies: ["Locations", "FaketrackTestSupport"]),
    .testTarget(
      name: "GPXTests", dependencies: ["GPX", "CZlib"], exclude: ["compare-gpxpy"]),
    .testTarget(
      name: "CitiesTests",
      dependencies: ["Cities", "Geodesy", "CZlib", "FaketrackServices", "FaketrackTestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "FaketrackStoreTests",
      dependencies: ["FaketrackStore", "Cities", "PhotoSearch", "FaketrackServices"]),
    .testTarget(
      name: "FaketrackServicesTests",
      dependencies: ["FaketrackServices", "FaketrackTestSupport", logging]),
    .testTarget(
      name: "PhotoSearchTests",
      dependencies: [
        "PhotoSearch", "FaketrackServices", "FaketrackTestSupport", "Geodesy", logging,
      ]),
    .testTarget(
      name: "FaketrackWebTests",
      dependencies: [
        "FaketrackWeb", "FaketrackFeatures", "Cities", "GPX", "Geodesy", "Locations", "PhotoSearch",
        "FaketrackServices", .product(name: "FlyingFox", package: "FlyingFox"),
      ]),
    .testTarget(
      name: "FaketrackFeaturesTests",
      dependencies: [
        "FaketrackFeatures", "Cities", "Geodesy", "Locations", "PhotoSearch", "FaketrackServices",
        "FaketrackTerminal", "FaketrackTestSupport",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "faketrack", "FaketrackServices", "FaketrackStore", "FaketrackTestSupport", "GPX",
        "Geodesy",
        "CZlib",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "FaketrackTests", dependencies: ["faketrack", "FaketrackFeatures", "Locations"]),
    .testTarget(
      name: "FaketrackTerminalTests",
      dependencies: ["FaketrackTerminal", "FaketrackTestSupport"]),
    .testTarget(
      name: "LibraryTests", dependencies: ["GPX", "Locations", "FaketrackTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
