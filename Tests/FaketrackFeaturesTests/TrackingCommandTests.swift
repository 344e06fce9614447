import FaketrackTestSupport
import Locations
import Testing

@testable import FaketrackFeatures

/// Commands sent while an earlier one still waits for the end of the walk.
@MainActor @Suite struct TrackingCommandTests {
  /// A walk that does not end until it is released, even if it is canceled repeatedly.
  private struct HeldWalk {
    let factory = WalkFactory()
    let model: TrackingViewModel
    private let latch: Latch
    private let isCancelled: StateStore<Bool>

    @MainActor
    init() {
      let latch = Latch()
      let isCancelled = StateStore(false)
      self.latch = latch
      self.isCancelled = isCancelled
      model = factory.model(speed: .realTime) { visits in
        await withTaskCancellationHandler {
          await latch.hold()
        } onCancel: {
          isCancelled.update { $0 = true }
        }
        return visits.count
      }
    }

    /// Starts the walk, sends the commands in order without waiting for each other, and returns
    /// when all are done.
    @MainActor
    func send(_ commands: [TrackingViewModel.Action]) async {
      await model.send(.start(track: nil))
      await latch.waitFor(1)
      // The main actor runs them in this order, and each continues until it has to wait.
      let sending = commands.map { command in Task { await model.send(command) } }
      await isCancelled.first { $0 }
      await latch.open()
      for task in sending { await task.value }
    }
  }

  @Test(
    arguments: [
      ([.start(track: nil), .start(track: nil)], [nil, nil], true),
      ([.move(to: 300), .move(to: 700)], [nil, 700], true),
      ([.move(to: 700), .start(track: nil)], [nil, nil], true),
      ([.start(track: nil), .move(to: 700)], [nil, 700], true),
      ([.start(track: nil), .stop], [nil], false),
      ([.move(to: 700), .stop], [nil], false),
      ([.answer(.authorizedAlways), .stop], [nil], false),
      ([.answer(.denied), .stop], [nil], false),
      ([.answer(.denied), .move(to: 9)], [nil, 9], true),
      ([.answer(.denied), .answer(.authorizedAlways)], [nil, nil], true),
      ([.stop, .start(track: nil)], [nil, nil], true),
      ([.stop, .move(to: 700)], [nil], false),
      ([.stop, .stop], [nil], false),
      ([.move(to: 1), .move(to: 2), .move(to: 3), .move(to: 4)], [nil, 4], true),
      ([.move(to: 1), .start(track: nil), .stop, .move(to: 1_200)], [nil], false),
    ] as [([TrackingViewModel.Action], [Double?], Bool)])
  func theLastOneCounts(
    commands: [TrackingViewModel.Action], starts: [Double?], isUnderWay: Bool
  ) async throws {
    let walk = HeldWalk()
    await walk.send(commands)
    #expect(walk.factory.requests.map(\.start) == starts)
    #expect(walk.model.state.isUnderWay == isUnderWay)
    // A walk without permission ends when it finds out, and waits for permission.
    let isRefused = walk.model.state.permission == .denied
    if isRefused { try? await walk.model.waitForEnd() }
    #expect(walk.factory.living == (isUnderWay && !isRefused ? 1 : 0))
    await walk.model.send(.stop)
    #expect(walk.factory.living == 0)
    #expect(walk.model.state.phase == .stopped)
  }

  @Test func anAnswerThatIsOvertakenIsStillRemembered() async throws {
    let walk = HeldWalk()
    await walk.send([.answer(.denied), .start(track: nil)])
    #expect(walk.model.state.permission == .denied)
    #expect(walk.factory.requests.map(\.answer) == [nil, .denied])
    await walk.model.send(.stop)
  }

  @Test func pausingAWalkThatIsBeingStoppedDoesNotBringItBack() async throws {
    let walk = HeldWalk()
    await walk.send([.stop, .pause, .setSpeed(.max), .resume])
    #expect(walk.model.state.phase == .stopped)
    #expect(walk.model.state.speed == .max)
    #expect(walk.factory.requests.count == 1)
  }
}
