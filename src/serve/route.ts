/**
 * Where a request goes, and where the upload addresses in its answer lead.
 *
 * Some clients follow the absolute address that an upload is to go on at. It is shown to them with the
 * proxy's origin, and the request that then comes is sent where the address led.
 *
 * Room: serve.
 */
import { isUploadAddress, toServedUploadUrl, toStoredUploadUrl } from '../dialect/upload.ts'
import type { HeaderList } from '../wire/headers.ts'

/** Where one request goes. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string
  /** What the service is asked for: behind the path of the upstream, where that has one. */
  readonly path: string
  /**
   * The address on the recording: the client's own path at the upstream's origin. A replay has no gateway in front
   * of it, so its path would be one that no client asks for.
   */
  readonly recorded: string
  /** The answer's headers as they are recorded. */
  stored(headers: HeaderList): HeaderList
  /** The answer's headers as the client gets them. */
  shown(headers: HeaderList): HeaderList
}

/** Finds the targets of the requests that one listener gets. */
export interface Router {
  /**
   * @param path - As the client sent it, with its query.
   * @param self - The origin at which the client reached us.
   */
  targetOf(path: string, self: string): Target
}

/**
 * @param upstreamOf - The service that a path belongs to: an origin, maybe with a path prefix.
 */
export function createRouter(upstreamOf: (path: string) => string): Router {
  /** Where the addresses lead that clients were shown, by path and query. */
  const uploads = new Map<string, string>()

  function show(address: string, upstream: string, self: string): string {
    if (!URL.canParse(address)) return address
    const { origin } = new URL(address)
    if (origin !== upstream && !isServiceOrigin(origin)) return address
    const shown = toServedUploadUrl(address, self)
    uploads.set(shown.slice(self.length), origin)
    return shown
  }

  return {
    targetOf(path, self) {
      const { origin: upstream, prefix } = splitBase(upstreamOf(path))
      const upload = uploads.get(path)
      const origin = upload ?? upstream
      return {
        origin,
        path: upload === undefined ? `${prefix}${path}` : path,
        recorded: `${origin}${path}`,
        stored: headers => mapUploads(headers, toStoredUploadUrl),
        shown: headers => mapUploads(headers, address => show(address, upstream, self)),
      }
    },
  }
}

/** Credentials follow an upload to the service's own hosts, never to any other. */
function isServiceOrigin(origin: string): boolean {
  return /^https:\/\/(?:[a-z0-9-]+\.)+googleapis\.com$/.test(origin)
}

function mapUploads(headers: HeaderList, map: (address: string) => string): HeaderList {
  return headers.map(([name, value]) =>
    isUploadAddress(name.toLowerCase()) ? [name, map(value)] : [name, value],
  )
}

/** An upstream's origin, and its path prefix without a slash at the end. */
function splitBase(base: string): { origin: string; prefix: string } {
  const url = new URL(base)
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}
