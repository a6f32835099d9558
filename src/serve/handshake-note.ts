/**
 * What is said of a client that came for TLS and left: the usual reason is that it does not trust our authority,
 * and a client rarely says so in a way that its user understands.
 *
 * Room: serve.
 */

/** Alerts by which a client says that it does not know who signed (RFC 8446 §6.2), in OpenSSL's words. */
const NOT_TRUSTED =
  /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)/
const EXPIRED = /ALERT_CERTIFICATE_EXPIRED/
const OTHER_PROTOCOL = /NO_APPLICATION_PROTOCOL/

/** A handshake that failed. `caFile`: what the client is to trust. */
export function handshakeNote(error: Error, caFile: string): string {
  const code = 'code' in error ? String(error.code) : ''
  if (NOT_TRUSTED.test(code)) return `a client does not trust our certificates: ${remedy(caFile)}`
  if (EXPIRED.test(code)) {
    return 'a client takes our certificate for expired. It is valid for a week from now: look at the clock of that client.'
  }
  if (OTHER_PROTOCOL.test(code))
    return 'a client wants to speak something else than HTTP/1.1 over TLS, as gRPC does, and that is not recorded: where it can, have it use REST.'
  return `a client's TLS handshake came to nothing (${error.message.split('\n', 1)[0]}). If it does not trust our certificates: ${remedy(caFile)}`
}

/** A connection that was closed before anything was asked: some clients look at the certificate only then. */
export function leftNote(caFile: string): string {
  return `a client left after the TLS handshake without a request. If it does not trust our certificates: ${remedy(caFile)}`
}

function remedy(caFile: string): string {
  return `it has to be told of ${caFile}. 'wiretape tls' shows how, for each runtime.`
}
