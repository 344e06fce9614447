import FaketrackServices

// The types with which an app stubs the network or brings its own, for `import PhotoSearch` alone.

/// A type that answers HTTP requests: the network, a recording, a stub in a test.
public typealias HTTPFetching = FaketrackServices.HTTPFetching
/// A GET request that knows which of its values must never be shown.
public typealias HTTPRequest = FaketrackServices.HTTPRequest
/// A complete response.
public typealias HTTPResponse = FaketrackServices.HTTPResponse
/// The reason why a request got no response.
public typealias HTTPFailure = FaketrackServices.HTTPFailure
/// A name and a value in a request's query.
public typealias QueryItem = FaketrackServices.QueryItem
/// Text that must never be shown, such as a key.
public typealias Secret = FaketrackServices.Secret
/// Fetches over the network: on Linux with libcurl, elsewhere with Foundation's `URLSession`.
public typealias NetworkFetcher = FaketrackServices.NetworkFetcher
