/**
 * The two listeners that every server of ours has: one for clients of the Developer API, one for those of
 * Vertex, which tell their services apart by the host alone.
 *
 * Room: serve.
 */
import { listen, type Listener, type ListenOptions, type RequestHandler } from './listener.ts'

/** Where they listen. */
export interface Ports {
  /** Any where undefined or 0. */
  readonly port?: number | undefined
  /** Any where undefined or 0. */
  readonly vertexPort?: number | undefined
}

/** Listens on both ports, or on none. Throws `WIRETAPE_USAGE` where a port can't be had. */
export async function listenOnBoth(
  handler: RequestHandler,
  { port = 0, vertexPort = 0 }: Ports,
  options: ListenOptions,
): Promise<readonly [Listener, Listener]> {
  const first = await listen(handler, port, options)
  try {
    return [first, await listen(handler, vertexPort, options)]
  } catch (error) {
    await first.close()
    throw error
  }
}
