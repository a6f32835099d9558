/**
 * The address that a resumable upload goes on at, which must lead through the recorder and the replay.
 *
 * JavaScript and Python follow it as it is, Go and Java put their base URL's host in it. In a cassette its
 * origin is {@link STORED_UPLOAD_ORIGIN}; on replay it becomes the replay server's.
 *
 * Room: dialect.
 */
import { type HeaderList, headerValue } from '../wire/headers.ts'
import { withOrigin } from '../wire/url.ts'

/** The origin of stored upload addresses. `.invalid` never resolves (RFC 2606), so nothing is ever sent there. */
export const STORED_UPLOAD_ORIGIN = 'https://upload.wiretape.invalid'

/** True for a response header whose value is an upload address. The name in lower case. */
export function isUploadAddress(name: string): boolean {
  return name === 'x-goog-upload-url' || name === 'x-goog-upload-control-url'
}

/** An upload address as a cassette stores it. Redacting its query is the redactor's part. */
export function toStoredUploadUrl(url: string): string {
  return withOrigin(url, STORED_UPLOAD_ORIGIN)
}

/**
 * A stored upload address, or the service's own, at the origin where the client reached us.
 *
 * @param origin - With scheme and port, without a slash at its end; a path prefix may follow.
 */
export function toServedUploadUrl(stored: string, origin: string): string {
  return withOrigin(stored, origin)
}

/**
 * True for a request whose body is a piece of an uploaded file, whatever is in it: a JSON file is no
 * request in JSON. The command names what it does (`upload`, `upload, finalize`); js-genai `_api_client.ts`.
 */
export function isUploadPiece(headers: HeaderList): boolean {
  return /\bupload\b/i.test(headerValue(headers, 'x-goog-upload-command') ?? '')
}
