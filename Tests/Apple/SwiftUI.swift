// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of SwiftUI that the examples use, for type checks where it does not exist.
@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { return fatalError() }
}

public struct Opaque<Content>: PrimitiveView {
  nonisolated init(_ content: Content) {}
}

extension Optional: View where Wrapped: View {
  public var body: Never { return fatalError() }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> some View { Opaque(()) }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View {
    Opaque((repeat each content))
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> {
    Either()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second>
  {
    Either()
  }
}

public struct Either<First: View, Second: View>: PrimitiveView {
  nonisolated init() {}
}

@MainActor @preconcurrency
public protocol Scene {}

@MainActor @preconcurrency
public protocol App {
  associatedtype Content: Scene
  var body: Content { get }
  init()
}

extension App {
  public static func main() {}
}

public struct WindowGroup: Scene {
  public init<Content: View>(@ViewBuilder content: () -> Content) {}
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(initialValue: Value) { wrappedValue = initialValue }

  public var wrappedValue: Value
}

@propertyWrapper
public struct Binding<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public var wrappedValue: Value
}

@MainActor @propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public var wrappedValue: Value
  public var projectedValue: Self { self }

  public subscript<Subject>(
    dynamicMember path: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding(wrappedValue: wrappedValue[keyPath: path])
  }
}

public struct NavigationStack: PrimitiveView {
  public init<Data: RandomAccessCollection>(
    path: Binding<Data>, @ViewBuilder root: () -> some View
  ) where Data.Element: Hashable {}
  public init(@ViewBuilder root: () -> some View) {}
}

public struct Text: PrimitiveView {
  public init(_ text: some StringProtocol) {}
}

public struct Label: PrimitiveView {
  public init(_ text: some StringProtocol, systemImage: String) {}
}

public struct Button: PrimitiveView {
  public init(_ text: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

public struct ContentUnavailableView: PrimitiveView {
  public init(
    @ViewBuilder label: () -> some View, @ViewBuilder description: () -> some View,
    @ViewBuilder actions: () -> some View
  ) {}
}

public struct List: PrimitiveView {
  public init(@ViewBuilder content: () -> some View) {}
}

public struct ForEach: PrimitiveView {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View
  ) where Data.Element: Identifiable {}
}

public struct HorizontalAlignment: Sendable {
  public static let leading = Self()
}

public struct VStack: PrimitiveView {
  public init(alignment: HorizontalAlignment, @ViewBuilder content: () -> some View) {}
}

public struct Image: PrimitiveView {
  public func resizable() -> Image { self }
}

public struct ProgressView: PrimitiveView {
  public init() {}
}

public struct AsyncImage: PrimitiveView {
  public init(
    url: URL?, @ViewBuilder content: @escaping (Image) -> some View,
    @ViewBuilder placeholder: @escaping () -> some View
  ) {}
}

public struct Font: Sendable {
  public static let caption = Self()
}

extension View {
  public func navigationTitle(_ title: some StringProtocol) -> some View { self }
  public func navigationDestination<Item: Hashable>(
    for type: Item.Type, @ViewBuilder destination: @escaping (Item) -> some View
  ) -> some View { self }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func scaledToFit() -> some View { self }
  public func accessibilityLabel(_ label: some StringProtocol) -> some View { self }
}
