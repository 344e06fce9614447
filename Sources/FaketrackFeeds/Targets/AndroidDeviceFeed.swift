import Dispatch
import FaketrackSupport
import Foundation
import Geodesy

extension FeedTarget {
  static let androidDevice = FeedTarget(
    "adb:", "[SERIAL][/APP]",
    """
    Sets the position of an Android device or emulator, Android 12 or later,
    by adb: a test provider takes the place of GPS. A denial takes the
    permission from an app such as org.example.app, which Android then ends.
    """
  ) { address in
    let parts = address.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let app = parts.count > 1 ? String(parts[1]) : nil
    guard !parts[0].hasPrefix("-"),
      app.map({ $0.wholeMatch(of: #/[A-Za-z0-9_.]+/#) != nil }) ?? true
    else { return nil }
    let serial = parts[0].isEmpty ? nil : String(parts[0])
    return { _ in AndroidDeviceFeed(serial: serial, app: app) }
  }
}

/// Runs a shell command of a device for each position.
///
/// Source: https://developer.android.com/tools/adb; `cmd location help` on a device
private final class AndroidDeviceFeed: FeedConnection {
  private static let timeout = Duration.seconds(10)
  private static let hint = "Connect one, and name its serial number as adb devices shows it."
  private static let permissions = ["ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION"]

  /// The moment of a position is the one at which it comes.
  let needsRepetition = true
  private let serial: String?
  private let app: String?
  private let program: DeviceProgram
  private let state = Locked((hasSignal: true, isDenied: false))

  init(serial: String?, app: String?) {
    self.serial = serial
    self.app = app
    program = DeviceProgram(
      "adb", timeout: Self.timeout, missing: "Install Android's platform tools.")
  }

  func open() async throws {
    do {
      try await adb("get-state")
      // The shell sets the positions.
      try await shell("appops set com.android.shell android:mock_location allow")
      _ = try? await provider("remove-test-provider gps")
      try await provider(
        "add-test-provider gps --requiresSatellite --supportsAltitude --supportsSpeed "
          + "--supportsBearing")
      try await provider("set-test-provider-enabled gps true")
    } catch FeedError.unreachable(let reason, _) {
      throw FeedError.unreachable(reason, hint: Self.hint)
    }
    state.withLock { $0 = (true, $0.isDenied) }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    switch signal {
    case .position(let fix):
      try await set(isDenied: false)
      try await set(hasSignal: true)
      try await provider("set-test-provider-location gps " + Self.location(fix))
    case .unavailable:
      try await set(isDenied: false)
      try await set(hasSignal: false)
    case .denied where app == nil:
      return .refused("takes the permission of an app alone: adb:\(serial ?? "")/org.example.app")
    case .denied: try await set(isDenied: true)
    }
    return .confirmed
  }

  private static func location(_ fix: Fix) -> String {
    let place = fix.coordinate
    return "--location \(DecimalText.fixed(place.latitude, places: 7)),"
      + DecimalText.fixed(place.longitude, places: 7)
      + " --accuracy " + DecimalText.fixed(fix.horizontalAccuracy ?? 5, places: 1)
  }

  private func set(hasSignal: Bool) async throws {
    if state.withLock(\.hasSignal) == hasSignal { return }
    try await provider("set-test-provider-enabled gps \(hasSignal)")
    state.withLock { $0.hasSignal = hasSignal }
  }

  private func set(isDenied: Bool) async throws {
    guard let app, state.withLock(\.isDenied) != isDenied else { return }
    for permission in Self.permissions {
      try await shell(
        "pm \(isDenied ? "revoke" : "grant") \(app) android.permission.\(permission)")
    }
    state.withLock { $0.isDenied = isDenied }
  }

  private func provider(_ command: String) async throws {
    try await shell("cmd location providers " + command)
  }

  private func shell(_ command: String) async throws { try await adb("shell", command) }

  private func adb(_ arguments: String...) async throws {
    try await program.run((serial.map { ["-s", $0] } ?? []) + arguments)
  }

  func close() async {
    try? await set(isDenied: false)
    try? await provider("remove-test-provider gps")
  }
}
