import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@Suite struct StateStoreTests {
  @Test func anObserverSeesTheStateNowAndWheneverItChanges() async {
    let store = StateStore(0)
    var states = store.states().makeAsyncIterator()
    #expect(await states.next() == 0)
    for number in 1...5 {
      store.update { $0 = number }
      #expect(await states.next() == number)
    }
    #expect(store.state == 5)
  }

  @Test func aSlowObserverSkipsToTheNewest() async {
    let store = StateStore(0)
    var states = store.states().makeAsyncIterator()
    for number in 1...1_000 { store.update { $0 = number } }
    #expect(await states.next() == 1_000)
    store.update { $0 = 7 }
    #expect(await states.next() == 7)
  }

  @Test func everyObserverSeesTheNewestStateForItself() async {
    let store = StateStore("a")
    var early = store.states().makeAsyncIterator()
    store.update { $0 = "b" }
    var late = store.states().makeAsyncIterator()
    #expect(await early.next() == "b")
    #expect(await late.next() == "b")
    store.update { $0 += "c" }
    #expect(await late.next() == "bc")
    #expect(await early.next() == "bc")
  }

  @Test func anObserverThatEndsIsForgotten() async {
    let store = StateStore(0)
    #expect(store.observerCount == 0)
    do {
      let one = store.states()
      let other = store.states()
      #expect(store.observerCount == 2)
      for await _ in one { break }
      for await _ in other { break }
    }
    #expect(store.observerCount == 0)
    store.update { $0 = 1 }
    #expect(store.state == 1)
  }

  @Test func anObserverWhoseTaskIsCancelledIsForgotten() async {
    let store = StateStore(0)
    let began = StateStore(false)
    let watching = Task {
      var seen = 0
      for await _ in store.states() {
        seen += 1
        began.update { $0 = true }
      }
      return seen
    }
    await began.first { $0 }
    #expect(store.observerCount == 1)
    watching.cancel()
    #expect(await watching.value == 1)
    #expect(store.observerCount == 0)
  }

  @Test func theStateCanBeRepeatedWithoutAChange() async {
    let store = StateStore(3)
    var states = store.states().makeAsyncIterator()
    #expect(await states.next() == 3)
    store.repeatState()
    #expect(await states.next() == 3)
    store.repeatState()
    store.repeatState()
    store.update { $0 = 4 }
    #expect(await states.next() == 4, "repetitions do not pile up")
  }

  @Test func noChangeOfManyTasksIsLost() async {
    let store = StateStore(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { for _ in 0..<500 { store.update { $0 += 1 } } }
      }
    }
    #expect(store.state == 8_000)
  }

  @Test func observersComeAndGoWhileTheStateChanges() async {
    let store = StateStore(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 { await store.first { $0 >= 0 } }
        }
        group.addTask { for _ in 0..<500 { store.update { $0 += 1 } } }
      }
    }
    #expect(store.observerCount == 0)
    #expect(store.state == 4_000)
  }

  @Test func statesStopComingWhenTheStoreIsGone() async {
    var store: StateStore<Int>? = StateStore(1)
    let stream = store?.states()
    weak let lost = store
    store = nil
    #expect(lost == nil, "an observer does not hold the store")
    var states = stream?.makeAsyncIterator()
    #expect(await states?.next() == 1)
  }
}

@Suite struct LoadingTests {
  @Test func aValueIsLoaded() async {
    let loading = await Loading { 7 }
    #expect(loading == .loaded(7))
    #expect(loading.value == 7)
    #expect(loading.failure == nil)
  }

  @Test func anErrorIsWorded() async {
    let loading = await Loading<Int> { throw StoreIsBroken() }
    #expect(loading == .failed(StoreIsBroken().failure))
    #expect(loading.value == nil)
    #expect(loading.failure?.hint == "Make room.")
  }

  @Test func aCancelledTaskLoadsNothing() async {
    let loading = await Loading<Int> { throw CancellationError() }
    #expect(loading == .idle)
  }

  @Test(
    arguments: [
      (.idle, .loading), (.loading, .loading), (.failed(Failure(message: "m")), .loading),
      (.loaded(1), .loaded(1)),
    ] as [(Loading<Int>, Loading<Int>)])
  func aValueIsShownUntilTheNextOneIsThere(before: Loading<Int>, after: Loading<Int>) {
    var loading = before
    loading.begin()
    #expect(loading == after)
  }
}
