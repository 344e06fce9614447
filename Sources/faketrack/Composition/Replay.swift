import Cities
import Dispatch
import FaketrackFeatures
import FaketrackFeeds
import FaketrackPictures
import FaketrackServices
import FaketrackSupport
import FaketrackTerminal
import FaketrackWeb
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import Receivers

extension CompositionRoot {
  /// Replays tracks to their ends.
  ///
  /// - Parameter file: the file of `-o`, which has the place of stdout.
  /// - Throws: the failure that ends the process with a code other than 0.
  func replay(_ command: ReplayCommand, into file: OutputFile?) async throws {
    let finished = try command.reading.resume.map {
      try FinishedTracks(contentsOf: $0, output: file) { [console] in
        console.note($0.safeForTerminal)
      }
    }
    let tracks = try await command.input.makeTracks(
      in: self, without: finished, output: file, choices: command.points.tracks)
    guard command.feed.feeds.isEmpty || command.hasWalkForEachTarget || tracks.single != nil else {
      throw Failure(
        message: "--feed walks one track, or a track for each target",
        hint: "Name a single file, or as many files as targets.", kind: .wrongUsage)
    }
    guard !command.isSteered || tracks.single != nil else {
      throw Failure(
        message: "--control steers one track", hint: "Name a single file.", kind: .wrongUsage)
    }
    guard !command.output.format.isPage || tracks.single != nil else {
      throw Failure(
        message: "--format html shows one track", hint: "Name a single file.", kind: .wrongUsage)
    }
    let replay = try Replay(
      command, self, pageFolder: file == nil ? command.output.folder : nil)
    try replay.check(file)
    try await feeding(
      command.feed, holding: command.ending.hold, isAwaited: command.steering.isStepped
    ) { hub in
      var single: WalkRun?
      if let track = tracks.single {
        single = try await replay.walk(track, isSingle: true, feeding: hub)
      }
      try await controlling(command.steering.control, single.map { WalkControl($0, targets: hub) })
      {
        try await perform(replay, tracks, single, command, feeding: hub, into: file) {
          try file?.begin()
          try finished?.removeOthers()
        }
      }
    }
  }

  private func perform(
    _ replay: Replay, _ tracks: BatchTracks, _ single: WalkRun?, _ command: ReplayCommand,
    feeding hub: FeedHub?, into file: OutputFile?, prepare: @escaping @MainActor () throws -> Void
  ) async throws {
    let run = batch(
      tracks, jobs: command.hasWalkForEachTarget ? nil : command.input.jobs, format: replay.format)
    try await perform(
      run, showing: single, into: file, prepare: prepare,
      summarize: {
        single?.noteUnshown()
        let times = single?.walk.replay?.provider.unusableTimes ?? run.tally.unusableTimes
        console.note(on: times, walkingSpeed: command.part.times.walkingSpeed)
        if replay.format.name == OutputFormat.gpx.name, !run.tally.omissions.isEmpty {
          let titles = run.tally.omissions.titles.joined(separator: ", ")
          console.note("note: the output leaves out what the input has: \(titles)")
        }
        replay.unplaced.note(on: console)
        if replay.printsNothing, run.tally.totals.locations > 0 {
          console.note("note: without photos, text has nothing to print; try --format list")
        }
        let totals =
          single.map { TrackTotals($0.store.state, skipped: $0.skipped) } ?? run.tally.totals
        let failures = single?.unreportedFailures ?? run.tally.failures
        if let note = ReplayText.note(on: failures, of: totals) {
          console.note("note: \(note.safeForTerminal)")
        }
        let isMadeUp = replay.photos?.provider?.isMadeUp == true
        console.note(
          single.map {
            ReplayText.summary(
              of: $0.store.state, skipped: $0.skipped, hasOwnPhotos: replay.hasOwnPhotos,
              isMadeUp: isMadeUp)
          }
            ?? ReplayText.summary(
              of: run.tally, leftOut: tracks.leftOut, brokenOff: run.recordsInProgress,
              calls: replay.photos?.calls, remoteSearches: replay.photos?.remoteSearches ?? 0,
              hasOwnPhotos: replay.hasOwnPhotos, isMadeUp: isMadeUp))
      },
      work: { track, output in
        if let single {
          let outcome = try await single.run(output, hasKeys: true)
          if let page = try await replay.keepsake(of: single) { try await output.write(page) }
          return outcome
        }
        if case .failure(let failure) = track.input { return TrackOutcome(failure: failure) }
        let walk: WalkRun
        do {
          walk = try await replay.walk(track, feeding: hub?.part(track.number))
        } catch let error where !(error is CancellationError) {
          return TrackOutcome(failure: Failure(error).naming(track.id))
        }
        var outcome = try await walk.run(output)
        walk.noteUnshown()
        outcome.failure = outcome.failure?.naming(track.id)
        return outcome
      })
  }
}

/// The options of `replay`, ready to walk along each track.
struct Replay: Sendable {
  let format: OutputFormat
  let photos: PhotoPipeline?
  let unplaced = UnplacedPhotos()
  private let command: ReplayCommand
  private let own: OwnPhotos?
  private let homeFiles: [String]
  /// The folder of the page; `nil` for a page in one file.
  private let pageFolder: String?
  private let script: WalkScript
  private let cities: CityNames?
  /// Downloads photos, if there is a folder for them.
  private let client: ServiceClient?
  private let console: Console
  private let captions: Captions
  /// Decodes HEIC pictures for the page.
  private let heic: HEICProgram?

  /// - Parameter pageFolder: the folder of `-o`.
  @MainActor
  init(_ command: ReplayCommand, _ root: CompositionRoot, pageFolder: String?) throws {
    self.command = command
    self.pageFolder = pageFolder
    homeFiles = [root.settings.storeFile.path, root.settings.cityIndexFile.path]
    console = root.console
    format = command.outputFormat(command.output.clocks.style(of: root.console))
    let sampleBase = command.output.format.isPage ? SamplePhotos.base : nil
    let texts = command.output.keepsake.captions
    captions =
      command.output.format.isPage ? try root.captions(texts, command.photos) : Captions()
    photos =
      format.showsPhotos ? try root.photoSource(command.photos, sampleBase: sampleBase) : nil
    own = format.showsPhotos ? try root.ownPhotos(command.photos, command.own) : nil
    script = try command.device.walkScript()
    command.photos.seed.note(on: console)
    cities = try command.cities.names(root)
    client = command.photos.download.map { _ in root.imageClient }
    heic = command.output.format.isPage ? root.settings.heic : nil
  }

  var hasOwnPhotos: Bool { own != nil }

  /// Whether the output is empty however long the walk is.
  var printsNothing: Bool {
    format.name == OutputFormat.text.name && photos == nil && own == nil
      && command.feed.feeds.isEmpty
  }

  /// Checks that `-o` replaces neither an input nor a file that faketrack did not write.
  ///
  /// - Parameter file: the file of `-o`.
  /// - Throws: `FileError` or `Failure`.
  func check(_ file: OutputFile?) throws {
    var inputs = command.inputs + homeFiles + [captions.path].compactMap(\.self)
    if let own { inputs += own.pictures.map(\.path) + own.unreadable.map(\.path) }
    for input in inputs {
      let isAppended = input == command.reading.resume
      if !isAppended, let failure = OutputFile.refusal(ofStandardOutput: input) { throw failure }
      if let failure = file?.refusal(of: input) { throw failure }
    }
    try file?.check()
    guard let pageFolder else { return }
    if let download = command.photos.download {
      if OutputFolder(pageFolder).isAt(download) {
        throw Failure(
          message: "--download and -o name the same folder",
          hint: "Name another folder with --download.", kind: .wrongUsage)
      }
      inputs.append(download)
    }
    try Keepsake.check(pageFolder, inputs: inputs)
  }

  /// A walk along a track, ready to begin.
  ///
  /// - Parameters:
  ///   - isSingle: whether it is the only track, whose progress is shown.
  ///   - hub: sends the walk to targets.
  /// - Throws: the reason why the track has no input, or no such part.
  func walk(
    _ batchTrack: BatchTrack, isSingle: Bool = false, feeding hub: FeedHub? = nil
  ) async throws -> WalkRun {
    let track = try track(batchTrack)
    let isPage = command.output.format.isPage
    var plan = WalkPlan(
      isPage
        ? track.recorded(hasOutline: true) : command.part.needsTrack ? track.recorded() : track,
      distanceFilter: command.distanceFilter, speed: command.speed)
    let range = try await command.part.range(of: plan.track)
    plan.options = command.replayOptions(range)
    var own = own
    if isPage, command.part.isChanged {
      own = try await cut(&plan)
      plan.options = command.replayOptions((.start, .end))
    }
    plan.script = script
    plan.isSteered = command.isSteered
    command.device.signal.disturb(&plan.options, seed: command.photos.seed)
    plan.options.repeatsLoss = format.repeatsLoss
    plan.cities = cities
    plan.endsWhenDenied = !track.isLive && command.device.script == nil && !plan.isSteered
    plan.follower = hub
    plan.followerInterval = command.feed.interval ?? plan.followerInterval
    plan.untimedStart = StartArgument.now
    if let own {
      plan.photos = .album(own, radius: command.photoChoice.radius) { [console, unplaced] report in
        if isSingle { console.note(report) } else { unplaced.add(report) }
      }
    } else if let photos {
      plan.photos = .search(
        PhotoPicker(photos, settings: command.photoChoice),
        concurrency: command.photos.concurrency, folder: folder(of: isSingle ? nil : batchTrack.id))
    }
    // The length of a part of a track is not known.
    let isWhole = plan.options.start == .start && plan.options.end == .end
    plan.isMeasured = isSingle && isWhole && console.showsProgress
    plan.isOneOfMany = !isSingle
    plan.note = console.notes(on: track, isOneOfMany: !isSingle)
    var state = TrackingState(
      speed: track.isLive ? .realTime : command.speed, searchesPhotos: photos != nil || own != nil,
      clocks: command.output.clocks.clocks, memory: isPage ? .max : 0)
    if isSingle { state.apply(.started(at: 0)) }
    if plan.options.start != .start { state.origin = nil }
    let walk = plan.walk()
    if command.steering.isStepped {
      walk.pace?.pause()
      walk.replay?.provider.stayAtEnd()
      state.apply(.paused)
    }
    return WalkRun(
      plan: plan, walk: walk, store: StateStore(state),
      hasEvents: command.output.events || format.repeatsLoss, photos: photos?.provider,
      console: console, script: command.device.script)
  }

  private func track(_ track: BatchTrack) throws -> Track {
    if let receiver = command.input.receiver {
      if own != nil { throw PhotoAlbum.unplaceable }
      return Track(
        receiver: Receiver(
          address: receiver, distanceFilter: command.distanceFilter, end: command.part.to?.position,
          report: { [console] in console.note("\(receiver.text): \($0)") }),
        name: receiver.text)
    }
    var opened = Track(
      try track.input.get(), source: command.points.source, choice: command.choice(of: track),
      without: command.output.privateAreas, isStrict: command.reading.strict)
    opened.repairs = command.points.repairs
    return opened
  }

  /// Cuts the track to the part that a page shows.
  ///
  /// - Returns: the own photos of the part.
  private func cut(_ plan: inout WalkPlan) async throws -> OwnPhotos? {
    let whole = plan.track
    let part = try await whole.part(
      command.part.replayOptions(.off, (plan.options.start, plan.options.end)))
    plan.track = part.track
    guard let own, let range = part.range else { return own }
    let album = PhotoAlbum(own, on: whole, radius: command.photoChoice.radius)
    let shown = try await DispatchQueue(label: "faketrack.album").blocking {
      album.photos(within: range)
    }
    let left = own.pictures.count - shown.pictures.count
    if left > 0 { console.note("photos: \(Quantity.count(left, "picture")) outside of the part") }
    return shown
  }

  /// The page of a walk that has ended, or the path of the page in its folder; `nil` for another
  /// format, and for a walk without locations.
  func keepsake(of run: WalkRun) async throws -> String? {
    guard command.output.format.isPage, run.store.state.locations > 0 else { return nil }
    return try await DispatchQueue(label: "faketrack.keepsake").blocking {
      guard let keepsake = Keepsake(try state(ofPage: run), captions: captions, heic: heic)
      else { return nil }
      console.noteUnused(captions, photos: keepsake.photos, chapters: keepsake.chapters)
      guard let folder = pageFolder else {
        let limit = Int((command.output.keepsake.sizeLimit ?? 20) * 1e6)
        return try keepsake.page(limit: limit) { console.note($0) }
      }
      return try keepsake.write(to: folder) { console.note($0.safeForTerminal) } + "\n"
    }
  }

  /// The state of a walk that has ended, with its track.
  private func state(ofPage run: WalkRun) throws -> TrackingState {
    let track = run.plan.track
    let shape = try TrackShape(reading: track, walkingSpeed: command.part.times.walkingSpeed)
    let name = URL(fileURLWithPath: track.input.name ?? "Walk").lastPathComponent
    var state = run.store.state
    state.entry = TrackCatalog.Entry(id: 1, name: name, shape: .loaded(shape))
    state.minimumPopulation = command.cities.areOmitted ? nil : command.cities.size.minPopulation
    if let end = shape.end { state.apply(.moved(to: end)) }
    return state
  }

  private func folder(of track: String?) -> PhotoFolder? {
    guard let client, let download = command.photos.download else { return nil }
    return PhotoFolder(download, track: track, fetching: client) { [console] in
      console.note($0.safeForTerminal)
    }
  }
}

/// A receiver that `replay` follows, up to an amount of time or way.
private struct Receiver: LiveLocationProviding {
  let address: ReceiverAddress
  let distanceFilter: Double
  /// `nil` without an end.
  let end: ReplayPosition?
  /// Receives what the receiver does, in words.
  let report: @Sendable (String) -> Void

  func updates() -> LocationUpdates {
    let provider = address.provider(distanceFilter: distanceFilter) { event in
      switch event {
      case .away: report("the connection was lost; trying again")
      }
    }
    let words = ReceiverWords(report)
    return limited(provider) { words.tell($0) }
  }

  func liveUpdates() -> LocationUpdates { limited(address.provider(distanceFilter: 0)) { _ in } }

  private func limited(
    _ provider: any LocationProviding, _ tell: @escaping @Sendable (LocationUpdate) -> Void
  ) -> LocationUpdates {
    LocationUpdates(delivering: { [end] deliver in
      try await withThrowingTaskGroup(of: Void.self) { group in
        if case .elapsed(let time) = end?.place {
          group.addTask { try await Task.sleep(for: time) }
        }
        group.addTask {
          for try await update in provider.updates() {
            tell(update)
            if case .meters(let meters) = end?.place, update.location?.distance ?? 0 > meters {
              return
            }
            deliver(update)
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    })
  }
}

/// The states of a receiver in words, each when it begins.
private final class ReceiverWords: Sendable {
  private let report: @Sendable (String) -> Void
  private let last = Locked("")

  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  func tell(_ update: LocationUpdate) {
    let words: String? =
      if update.location != nil {
        "a fix"
      } else if update.locationUnavailable {
        "no fix; waiting"
      } else if let status = update.authorization {
        status.isAuthorized ? "a device is there" : "no device; waiting"
      } else {
        nil
      }
    guard let words else { return }
    let isNew = last.withLock { last in
      defer { last = words }
      return last != words
    }
    if isNew { report(words) }
  }
}
