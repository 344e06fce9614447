#if os(Linux)
  import CCurl
  import Glibc

  extension HTTPFailure {
    static let endlessHeader = HTTPFailure.unreachable("the header of the answer has no end")

    /// Says why a transfer failed.
    ///
    /// - Parameters:
    ///   - code: libcurl's code, other than that of success.
    ///   - systemError: the error number of the system call that failed, if one did.
    init(_ code: CURLcode, systemError: Int) {
      self =
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_URL_MALFORMAT: .unusableAddress("the address is not usable")
        // A line of the header that is longer than libcurl accepts; 100 is from version 8.6 on.
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): .endlessHeader
        default: .unreachable(Self.words(for: code, systemError: Int32(clamping: systemError)))
        }
    }

    private static func words(for code: CURLcode, systemError: Int32) -> String {
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: "the host name is not known"
      case CURLE_COULDNT_RESOLVE_PROXY: "the name of the proxy is not known"
      case CURLE_COULDNT_CONNECT: connectionWords(for: systemError)
      case CURLE_GOT_NOTHING: "the connection ended without an answer"
      case CURLE_RECV_ERROR, CURLE_SEND_ERROR: "the connection was lost"
      case CURLE_OK, CURLE_PARTIAL_FILE: "the answer is cut off"
      case CURLE_BAD_CONTENT_ENCODING: "the answer cannot be unpacked"
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM,
        CURLE_BAD_FUNCTION_ARGUMENT:
        "the answer is not HTTP"
      case CURLE_PEER_FAILED_VERIFICATION: "no secure connection: the certificate is not trusted"
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
        "no secure connection"
      default: "the connection failed (\(code.rawValue))"
      }
    }

    private static func connectionWords(for systemError: Int32) -> String {
      switch systemError {
      case ECONNREFUSED: "the connection was refused"
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: "there is no network"
      case EMFILE, ENFILE: "too many files are open"
      default: "there was no connection"
      }
    }
  }
#endif
