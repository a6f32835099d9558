/**
 * Every payload of an exchange, whichever way it was spelled: what a look through all of it starts from.
 *
 * Room: cassette.
 */
import type { Exchange, Payload } from './model.ts'

/** The payloads of both sides, in the order of the document. */
export function payloadsOf({ request, response, messages = [] }: Exchange): readonly Payload[] {
  const payloads = [
    request.body,
    response?.body,
    ...(response?.events ?? []).flatMap(({ data, raw }) => [data, raw]),
    ...messages.flatMap(({ client, server }) => [client, server]),
  ]
  return payloads.filter(payload => payload !== undefined)
}
