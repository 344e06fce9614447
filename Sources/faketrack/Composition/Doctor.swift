import Cities
import FaketrackFeatures
import FaketrackServer
import FaketrackStore
import FaketrackSupport
import Foundation
import Locations
import Receivers

/// The checks of `faketrack doctor`. Nothing leaves this computer.
@MainActor
struct Doctor {
  let root: CompositionRoot
  /// The port of the page.
  let port: UInt16

  private var settings: Settings { root.settings }

  func findings() async -> [Finding] {
    let environment = settings.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let size = FullScreen.size
    var findings = [home, await store, cities, photos]
    findings += Finding.endpoints([Settings.wikipediaVariable], in: environment)
    findings += Finding.proxies(in: environment)
    findings += Finding.terminal(isTerminal ? (size.columns, size.rows) : nil, in: environment)
    findings.append(
      .ok(
        "chafa",
        Program.path(of: "chafa", in: environment)
          ?? "not installed; with it, wide terminals show photos"))
    findings.append(
      .ok(
        "heic",
        settings.heic?.path
          ?? "no decoder; with libheif-examples or libvips-tools, pages show HEIC photos"))
    findings += [ownPhotos, await pagePort, .timeZones(), await receiver]
    return findings
  }

  private var home: Finding {
    let path = settings.home.path
    guard let kind = FileKind(path) else {
      let error = FileError(path: path)
      guard error.code == ENOENT else { return homeProblem("\(path): \(error.reason)") }
      let parent = folder(above: settings.home)
      do { try AtomicFile.checkWriting(in: parent) } catch {
        return homeProblem("\(path) cannot be made: nothing can be written in \(parent)")
      }
      return .ok("home", "\(path), created by the first command that stores something")
    }
    guard kind == .folder else { return homeProblem("\(path) is not a folder") }
    do { try AtomicFile.checkWriting(in: path) } catch {
      return homeProblem("\(path) cannot be written: \(error.reason)")
    }
    var system = statvfs()
    guard statvfs(path, &system) == 0 else { return .ok("home", path) }
    let megabytes = Int(min(1e12, Double(system.f_bavail) * Double(system.f_frsize) / 1_048_576))
    let text = "\(path), \(Quantity.grouped(megabytes)) MB free"
    return megabytes < 400
      ? .warning("home", text, hint: "Make room: searches and small photos can take 350 MB.")
      : .ok("home", text)
  }

  private func homeProblem(_ message: String) -> Finding {
    .problem(
      "home",
      Failure(
        message: message, hint: "Make it writable, or name another folder with FAKETRACK_HOME."))
  }

  /// The nearest folder above that exists.
  private func folder(above url: URL) -> String {
    let parent = url.deletingLastPathComponent()
    let isRoot = parent.path == url.path
    return isRoot || access(parent.path, F_OK) == 0 ? parent.path : folder(above: parent)
  }

  private var store: Finding {
    get async {
      let path = settings.storeFile.path
      do {
        guard let count = try await root.store.check() else { return .ok("store", "none yet") }
        return .ok("store", "\(path), undamaged, \(Quantity.count(count, "favorite"))")
      } catch let error as StoreError {
        return .problem(
          "store", Failure(message: "\(path): \(error.reason)", hint: error.recoverySuggestion))
      } catch {
        return .problem("store", Failure(error))
      }
    }
  }

  private var cities: Finding {
    do {
      let (index, isImported) = try root.cities()
      let words = About.cities(
        index.count, areImported: isImported, on: isImported ? settings.cityIndexDate : nil)
      return .ok("cities", words + (isImported ? ", undamaged" : ""))
    } catch {
      return .problem("cities", Failure(error))
    }
  }

  private var photos: Finding {
    do {
      return .photos(try settings.photoSource(), in: settings.environment)
    } catch {
      return .problem("photos", Failure(error))
    }
  }

  private var ownPhotos: Finding {
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: settings.thumbnails.path)) ?? []
    let kept = files.isEmpty ? "" : "; \(Quantity.count(files.count, "small version")) kept"
    return .ok("own photos", "JPEG, HEIC, PNG, WebP, MP4, MOV\(kept)")
  }

  private var pagePort: Finding {
    get async {
      guard let reason = await HTTPServer.obstacle(at: port) else {
        return .ok("page", "port \(port) of 127.0.0.1 is free")
      }
      if let reason = await HTTPServer.obstacle(at: 0) {
        return .problem(
          "page",
          Failure(
            message: "cannot listen on 127.0.0.1: \(reason)",
            hint: "Bring up the loopback interface, or allow programs to listen on it."))
      }
      return .warning(
        "page", "cannot listen on 127.0.0.1:\(port): \(reason)",
        hint: "Run faketrack serve --port 0 to use any free port.")
    }
  }

  /// Whether gpsd is running.
  private var receiver: Finding {
    get async {
      await ReceiverAddress.hasGPSD()
        ? .ok(
          "gpsd",
          "port \(GPSDLocationProvider.defaultPort) of 127.0.0.1 is in use, probably by gpsd")
        : .ok("gpsd", "not running here; only gpsd:// needs it")
    }
  }
}
