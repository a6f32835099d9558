/**
 * Every rule of the reader has one small file in `test/invalid/` that breaks it, and nothing else.
 *
 * For each: where the reader points, what it says is wrong, and what it suggests.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cassetteText } from '../../src/cassette/parse-text.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { WiretapeError, type ErrorCode } from '../../src/errors.ts'

/** What the reader says about one file. */
interface Expectation {
  /** Line and column, from 1. */
  readonly at: `${number}:${number}`
  readonly what: string
  readonly suggestion: string
  readonly code?: ErrorCode
}

const folder = resolve(import.meta.dirname, '../invalid')

function mistakeIn(name: string): WiretapeError {
  const file = `${name}.cassette.yaml`
  try {
    parseCassette(cassetteText(readFileSync(resolve(folder, file)), { file }), { file })
  } catch (error) {
    if (error instanceof WiretapeError) return error
    throw error
  }
  throw new Error(`${file} was read without a mistake`)
}

const EXPECTED: Readonly<Record<string, Expectation>> = {
  'alias-in-itself': {
    at: '7:13',
    what: 'more than 100 aliases in one document, or one inside itself',
    suggestion: 'Write the values out.',
  },
  'base64-padding': {
    at: '7:16',
    what: '`body-base64` is not base64',
    suggestion: 'base64 with its padding, in one line, or `blob:NAME@offset+length`',
  },
  'base64-value': {
    at: '7:16',
    what: '`body-base64` is the number `1234`',
    suggestion: 'Quote it: `"1234"`.',
  },
  'binary-garbage': {
    at: '1:5',
    what: 'the control character \\x02',
    suggestion: 'Is this a cassette? In a quoted text, spell the character as \\x02.',
  },
  'blanks-end-a-block': {
    at: '9:1',
    what: 'a text block ends in a line of blanks, which some readers drop',
    suggestion: 'Remove the blanks, or write the text in double quotes.',
  },
  'blob-length': { at: '9:17', what: '`1.png` is the number `1.5`', suggestion: 'a whole number, 0 or more' },
  'blob-name': {
    at: '9:10',
    what: '`../1.png` is not the name of a blob',
    suggestion: 'the name of a file, of letters, digits, dots, dashes and underscores',
  },
  'blob-not-listed': {
    at: '7:16',
    what: '`body-base64` is not base64',
    suggestion: 'List the blob in `blobs`: `{ 1.png: LENGTH }`.',
  },
  'blob-reference-in-a-text': {
    at: '10:13',
    what: 'a reference to the bytes up to 301 of `1.png`',
    suggestion: 'Correct the length in `blobs`, or the reference: `blob:NAME@offset+length`, in bytes.',
  },
  'blob-reference-too-long': {
    at: '10:11',
    what: 'a reference to the bytes up to 310 of `1.png`',
    suggestion: 'Correct the length in `blobs`, or the reference: `blob:NAME@offset+length`, in bytes.',
  },
  'body-and-events': {
    at: '10:3',
    what: '`body` and `events` in one place',
    suggestion: 'Remove `body` or `events`.',
  },
  'body-twice': {
    at: '8:3',
    what: '`body` and `body-base64` in one place',
    suggestion: 'Remove `body` or `body-base64`.',
  },
  'carriage-return': {
    at: '9:12',
    what: 'a carriage return without a line feed',
    suggestion: 'Is this a cassette? In a quoted text, spell the character as \\r.',
  },
  'control-character': {
    at: '9:13',
    what: 'the control character \\x07',
    suggestion: 'Is this a cassette? In a quoted text, spell the character as \\x07.',
  },
  'cut-endless': {
    at: '10:16',
    what: 'the cut `99999999999999999999`',
    suggestion: 'a byte offset, `57`, or one with the time of what follows, `57@483`',
  },
  'cut-list': {
    at: '10:16',
    what: 'a cut that is no number',
    suggestion: 'a byte offset, `57`, or one with the time of what follows, `57@483`',
  },
  'cut-negative': {
    at: '10:16',
    what: 'the cut `-5`',
    suggestion: 'a byte offset, `57`, or one with the time of what follows, `57@483`',
  },
  'cut-order': {
    at: '10:19',
    what: 'the cut at 5 does not come after the one before',
    suggestion: 'Cuts are byte offsets from the start of the event or body, each once, in ascending order.',
  },
  'cut-outside-body': {
    at: '9:10',
    what: 'the cut at 3 is not inside the body, which is 3 bytes long on the wire',
    suggestion:
      'Offsets count bytes of UTF-8; in an event, its `event:` and `data:` prefixes and line ends too.',
  },
  'cut-outside-event': {
    at: '10:19',
    what: 'the cut at 13 is not inside this event, which is 13 bytes long on the wire',
    suggestion:
      'Offsets count bytes of UTF-8; in an event, its `event:` and `data:` prefixes and line ends too.',
  },
  'cut-word': {
    at: '10:16',
    what: 'the cut `5 at 30`',
    suggestion: 'a byte offset, `57`, or one with the time of what follows, `57@483`',
  },
  'cut-zero-in-event': {
    at: '10:16',
    what: 'a cut at 0 in an event',
    suggestion: 'An event begins a chunk of its own unless it is marked `joined: true`.',
  },
  'cut-zero-without-time': {
    at: '9:10',
    what: 'a cut at 0 without a time says nothing',
    suggestion: 'Write when the first chunk came, `0@MILLISECONDS`, or leave it out.',
  },
  'close-and-message': {
    at: '8:5',
    what: '`client` and `close` in one place',
    suggestion: 'Remove `client` or `close`.',
  },
  'close-by-missing': { at: '7:5', what: '`close` has no `by`', suggestion: 'Add `by` to it.' },
  'close-by': { at: '7:18', what: '`by` is `sever`', suggestion: 'Did you mean `server`?' },
  'close-code-lost': {
    at: '7:32',
    what: 'no close frame carries the code 1006',
    suggestion:
      'It is how programs say that there was no close at all: leave `close` out, and write `how` in `end`.',
  },
  'close-code-none': {
    at: '7:32',
    what: 'no close frame carries the code 1005',
    suggestion: 'It is how programs say that there was no code: leave `code` out.',
  },
  'close-code-reserved': {
    at: '7:32',
    what: 'no close frame carries the code 2000',
    suggestion: '1000 to 1003, 1007 to 1014, or 3000 to 4999',
  },
  'close-code-text': { at: '7:32', what: '`code` is a text', suggestion: 'a whole number, 0 or more' },
  'close-frame': {
    at: '7:5',
    what: 'a `close` with a `frame`',
    suggestion: 'Remove `frame`: it says how a message was sent.',
  },
  'close-reason-long': {
    at: '7:46',
    what: 'a `reason` of 124 bytes',
    suggestion: 'at most 123, which is what a close frame has room for',
  },
  'close-reason-without-code': {
    at: '7:26',
    what: 'a `reason` without a `code`',
    suggestion: 'A close frame has a reason only behind a code: add `code`, `1000` for a normal end.',
  },
  'close-unknown-key': {
    at: '7:26',
    what: '`close` has an unknown key: `status`',
    suggestion: 'A key of your own must begin with `x-`.',
  },
  'message-after-close': {
    at: '8:5',
    what: 'a message after the `close`',
    suggestion:
      'Nothing is sent over a socket that is closed. What comes over the next one is an exchange of its own.',
  },
  'message-empty': {
    at: '8:5',
    what: 'this message has nothing in it',
    suggestion: '`client`, `server` or `close`',
  },
  'message-frame': { at: '7:12', what: '`frame` is `bytes`', suggestion: '`text` or `binary`' },
  'message-of-both-sides': {
    at: '8:5',
    what: '`client` and `server` in one place',
    suggestion: 'Remove `client` or `server`.',
  },
  'message-reference-too-long': {
    at: '7:21',
    what: 'a reference to the bytes up to 310 of `1-client.pcm`',
    suggestion: 'Correct the length in `blobs`, or the reference: `blob:NAME@offset+length`, in bytes.',
  },
  'message-twice': {
    at: '8:5',
    what: '`client` and `client-base64` in one place',
    suggestion: 'Remove `client` or `client-base64`.',
  },
  'message-unknown-key': {
    at: '7:5',
    what: 'this message has an unknown key: `sever`',
    suggestion: 'Did you mean `server`?',
  },
  'messages-and-response': {
    at: '8:1',
    what: '`response` and `messages` in one place',
    suggestion: 'Remove `response` or `messages`.',
  },
  'messages-in-no-socket': {
    at: '7:1',
    what: '`messages` in an exchange that is no socket',
    suggestion:
      'The API of a socket is `live`; the parts of any other answer are the `events` of its `response`.',
  },
  'messages-mapping': { at: '7:3', what: '`messages` is a mapping', suggestion: 'a list' },
  'socket-body': {
    at: '6:3',
    what: 'the request for a socket has a `body`',
    suggestion: 'What the client says over the socket stands in `messages`, as `client`.',
  },
  'socket-method': {
    at: '5:11',
    what: 'the `method` of a socket is `POST`',
    suggestion: 'Leave `method` out.',
  },
  'socket-of-no-socket-api': {
    at: '6:8',
    what: '`url` is `wss://example.com/ws/live`',
    suggestion: 'The API of a socket is `live`.',
  },
  'socket-url-relative': {
    at: '5:8',
    what: '`url` is `/ws/live`',
    suggestion: 'Write the address at the service, with its host.',
  },
  'socket-url': {
    at: '5:8',
    what: '`url` is `https://example.com/ws/live`',
    suggestion: 'Write the address at the service, with its host.',
  },
  'time-goes-back-in-messages': {
    at: '9:9',
    what: 'time goes back: 5 ms after 7 ms',
    suggestion: 'Times count from the start of the exchange, in the order of the file.',
  },
  'cuts-empty': { at: '10:15', what: '`cuts` is an empty list', suggestion: 'Leave it out.' },
  'cuts-text': { at: '10:15', what: '`cuts` is the number `5`', suggestion: 'a list' },
  'cuts-without-body': {
    at: '9:3',
    what: '`cuts` without a `body`',
    suggestion: 'The cuts of a stream stand in the events that they cut.',
  },
  directive: {
    at: '1:1',
    what: 'a YAML directive',
    suggestion: 'Remove it: a cassette is YAML 1.2 and needs none.',
  },
  'document-text': {
    at: '11:1',
    what: 'exchange 2 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'done-unquoted': {
    at: '10:13',
    what: '`data: [DONE]` is a list with one text in it',
    suggestion: 'Quote it: `data: "[DONE]"`.',
  },
  'duplicate-key-in-payload': {
    at: '7:23',
    what: '`a` comes twice, first in line 7',
    suggestion: 'Remove one of the two. A JSON payload that really has a key twice must be written as text.',
  },
  'duplicate-key': {
    at: '9:3',
    what: '`status` comes twice, first in line 8',
    suggestion: 'Remove one of the two. A JSON payload that really has a key twice must be written as text.',
  },
  'empty-document': {
    at: '11:1',
    what: 'exchange 2 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'empty-file': {
    at: '1:1',
    what: 'there is nothing in this file',
    suggestion: 'Record it once more, or take it from where it came.',
  },
  'empty-item': {
    at: '9:7',
    what: 'this item of a list has no value',
    suggestion: 'Leave it out, or write `""` for an empty text and `null` for a JSON null.',
  },
  'empty-value-with-comment': {
    at: '10:7',
    what: '`data` has no value',
    suggestion: 'Leave it out, or write `""` for an empty text and `null` for a JSON null.',
  },
  'empty-value': {
    at: '7:3',
    what: '`body` has no value',
    suggestion: 'Leave it out, or write `""` for an empty text and `null` for a JSON null.',
  },
  'end-how': { at: '9:13', what: '`how` is `client-abbort`', suggestion: 'Did you mean `client-abort`?' },
  'end-not-last': {
    at: '10:1',
    what: '`note` comes after `end`',
    suggestion: 'Move `end` to the end of the document; before the next exchange goes a line `---`.',
  },
  'end-number': { at: '9:6', what: '`end` is the number `485`', suggestion: 'a mapping, `key: value`' },
  'end-well-without-response': {
    at: '7:1',
    what: 'an exchange without a `response` that ended well',
    suggestion: 'If the service was never reached, write `end: { how: upstream-error }`.',
  },
  eol: { at: '4:6', what: '`eol` is `CRLF`', suggestion: 'Did you mean `crlf`?' },
  'event-carriage-return': {
    at: '10:13',
    what: '`data` has a carriage return in it',
    suggestion:
      'Say the line ends of the stream in `eol`, and write bytes that are no proper event as `raw`.',
  },
  'event-data-and-raw': {
    at: '11:7',
    what: '`data` and `raw` in one place',
    suggestion: 'Remove `data` or `raw`.',
  },
  'event-data-twice': {
    at: '11:7',
    what: '`data` and `data-base64` in one place',
    suggestion: 'Remove `data` or `data-base64`.',
  },
  'event-empty': {
    at: '10:7',
    what: 'this event has nothing in it',
    suggestion: 'Bytes that are no proper event, such as a blank line, are written as `raw`.',
  },
  'event-id-number': { at: '10:13', what: '`id` is the number `17`', suggestion: 'Quote it: `"17"`.' },
  'event-name-line-end': {
    at: '10:14',
    what: '`event` has a line end in it',
    suggestion: 'Write bytes that are no proper event as `raw`.',
  },
  'event-null': { at: '10:7', what: 'this event is `null`', suggestion: 'a mapping, `key: value`' },
  'event-raw-value': { at: '10:12', what: '`raw` is a mapping', suggestion: 'a text' },
  'event-text': { at: '10:7', what: 'this event is a text', suggestion: 'a mapping, `key: value`' },
  'events-mapping': { at: '9:11', what: '`events` is a mapping', suggestion: 'a list' },
  'exchange-and-header': {
    at: '9:1',
    what: 'a header and an exchange in one document: `---` is missing',
    suggestion: 'Put a line `---` before `cassette`.',
  },
  'exchange-missing': {
    at: '3:1',
    what: 'this document is neither a header nor an exchange',
    suggestion: 'Add `exchange`.',
  },
  'exchange-number': { at: '3:11', what: '`exchange` is the number `3`', suggestion: 'Quote it: `"3"`.' },
  'exchange-twice': {
    at: '9:1',
    what: '`exchange` comes twice, first in line 3',
    suggestion: 'Begin each document with a line `---`.',
  },
  'format-as-text': { at: '1:11', what: '`cassette` is a text', suggestion: 'the number of the format, `1`' },
  'format-fraction': {
    at: '1:11',
    what: '`cassette` is the number `1.5`',
    suggestion: 'a whole number, 1 or more',
  },
  'format-mapping': {
    at: '1:11',
    what: '`cassette` is a mapping',
    suggestion: 'the number of the format, `1`',
  },
  'format-zero': {
    at: '1:11',
    what: '`cassette` is the number `0`',
    suggestion: 'the number of the format, `1`',
  },
  'header-after-a-dash': {
    at: '1:1',
    what: 'this is not a cassette',
    suggestion: 'Is it the right file? A cassette is named `*.cassette.yaml` and begins with `cassette: 1`.',
  },
  'header-and-exchange': {
    at: '2:1',
    what: 'a header and an exchange in one document: `---` is missing',
    suggestion: 'Put a line `---` before `exchange`.',
  },
  'header-empty-list': { at: '9:19', what: 'the header `via` is an empty list', suggestion: 'Leave it out.' },
  'header-line-end': {
    at: '9:19',
    what: 'the header `x-a` has a character that HTTP cannot carry',
    suggestion: 'characters up to U+00FF, without line ends; each stands for one byte',
  },
  'header-missing': {
    at: '2:1',
    what: 'this cassette has no header',
    suggestion: 'Put two lines before it: `cassette: 1` and `---`.',
  },
  'header-expires': {
    at: '2:10',
    what: '`expires` is `31.1.2027`',
    suggestion: 'a date or a moment of RFC 3339, such as `2027-01-31` or `2027-01-31T12:00:00Z`',
  },
  'header-moment': {
    at: '2:11',
    what: '`recorded` is `30.11.2026`',
    suggestion: 'a moment in UTC, such as `2026-11-30T10:12:04Z`',
  },
  'header-name-with-blank': {
    at: '9:14',
    what: '`A b` is not a header name',
    suggestion: 'a name in lower case, of letters, digits and dashes',
  },
  'header-number': {
    at: '9:23',
    what: 'the header `x-count` is the number `007`',
    suggestion: 'Quote it: `"007"`.',
  },
  'header-unknown-key': {
    at: '2:1',
    what: 'this header has an unknown key: `recordet`',
    suggestion: 'Did you mean `recorded`?',
  },
  'header-upper-case': {
    at: '9:14',
    what: '`Content-Type` is not a header name',
    suggestion: 'Write it in lower case: `content-type`.',
  },
  'headers-list': { at: '9:12', what: '`headers` is a list', suggestion: 'a mapping, `key: value`' },
  'hold-false': {
    at: '10:24',
    what: '`hold` is the boolean `false`',
    suggestion: 'Leave `hold` out where it is not so.',
  },
  'joined-false': {
    at: '11:26',
    what: '`joined` is the boolean `false`',
    suggestion: 'Leave `joined` out where it is not so.',
  },
  'joined-first': {
    at: '10:7',
    what: 'the first event is `joined`, but there is none before it',
    suggestion: 'Remove `joined`.',
  },
  'joined-with-time': {
    at: '11:23',
    what: 'a `joined` event has a time of its own',
    suggestion:
      'It came with the chunk before: remove `at` or `joined`. When a later piece of it came is said in `cuts`.',
  },
  'json-list': {
    at: '1:1',
    what: 'this is not a cassette',
    suggestion: 'Is it the right file? A cassette is named `*.cassette.yaml` and begins with `cassette: 1`.',
  },
  'later-dialect': {
    at: '3:11',
    what: '`exchange` is `telepathy`, which this version does not know',
    suggestion: 'A newer version of Wiretape may read it.',
  },
  'list-as-key': { at: '4:3', what: 'a key that is not a text', suggestion: 'a text' },
  match: { at: '4:8', what: '`match` is `bodi`', suggestion: 'Did you mean `body`?' },
  'method-lower-case': { at: '5:11', what: '`method` is `post`', suggestion: 'Did you mean `POST`?' },
  'method-missing': { at: '4:1', what: '`request` has no `method`', suggestion: 'Add `method` to it.' },
  'method-unknown': {
    at: '5:11',
    what: '`method` is `PSOT!`',
    suggestion: 'a method in upper case, such as `POST`',
  },
  'name-null': { at: '4:7', what: '`name` is `null`', suggestion: 'Quote it: `"null"`.' },
  'name-number': { at: '4:7', what: '`name` is the number `2026`', suggestion: 'Quote it: `"2026"`.' },
  'neither-header-nor-exchange': {
    at: '3:1',
    what: 'this document is neither a header nor an exchange',
    suggestion: 'Did you mean `exchange`?',
  },
  'newer-format': {
    at: '1:11',
    what: 'this cassette is written in format 2; this version of Wiretape reads format 1',
    suggestion: 'Update Wiretape.',
    code: 'WIRETAPE_CASSETTE_VERSION',
  },
  'not-a-cassette': {
    at: '1:1',
    what: 'this is not a cassette',
    suggestion: 'Is it the right file? A cassette is named `*.cassette.yaml` and begins with `cassette: 1`.',
  },
  'not-utf8': {
    at: '9:15',
    what: 'this is not UTF-8 text',
    suggestion:
      'Save it as UTF-8, or take it once more from where it came. Bytes that are not text belong into `body-base64`.',
  },
  'null-key': { at: '4:3', what: 'a key that is not a text', suggestion: 'a text' },
  'number-as-key': { at: '7:11', what: 'a key that is not a text', suggestion: 'Quote it: `"1":`.' },
  'only-comments': {
    at: '3:1',
    what: 'there is nothing in this file',
    suggestion: 'Record it once more, or take it from where it came.',
  },
  'packed-added': {
    at: '12:8',
    what: '`added` is `a word`',
    suggestion: '`line-feed`',
  },
  'packed-base64': {
    at: '13:10',
    what: '`a.png` is not base64',
    suggestion: 'Take the file once more from where it came.',
  },
  'packed-blob-name': {
    at: '12:10',
    what: '`../a.png` is not the name of a blob',
    suggestion: 'the name of a file, of letters, digits, dots, dashes and underscores',
  },
  'packed-newer': { at: '11:9', what: '`packed` is of a newer format', suggestion: 'Update Wiretape.' },
  'packed-not-last': {
    at: '15:1',
    what: 'a document after the one that begins with `packed`',
    suggestion: 'Unpack it first, `wiretape unpack FILE`, and add to what comes out.',
  },
  'packed-torn': {
    at: '11:1',
    what: 'this packed cassette is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'packed-without-blobs': {
    at: '11:1',
    what: 'this document has no `blobs`',
    suggestion: 'Add `blobs` to it.',
  },
  'payload-capital-true': {
    at: '7:14',
    what: '`True` is not how JSON spells it',
    suggestion: 'Write `true`, or quote a text: `"True"`.',
  },
  'payload-comment': {
    at: '8:11',
    what: 'an unquoted text is cut by a ` #`',
    suggestion: 'Quote the whole text, or put the comment on a line of its own.',
  },
  'payload-hexadecimal': {
    at: '7:14',
    what: '`0x10` is a number to YAML, but not to JSON',
    suggestion: 'Write it in plain digits, or quote a text: `"0x10"`.',
  },
  'payload-infinity': {
    at: '7:14',
    what: '`.inf` is a number to YAML, but not to JSON',
    suggestion: 'Write it in plain digits, or quote a text: `".inf"`.',
  },
  'payload-key-order': {
    at: '7:11',
    what: 'the keys of this object would be sent in another order: whole numbers come first',
    suggestion: 'Put keys that are whole numbers first, in ascending order, or write the payload as text.',
  },
  'payload-long-integer': {
    at: '7:14',
    what: 'the number `12345678901234567890` would be sent as 12345678901234567000',
    suggestion: 'Write the whole payload as text, e.g. with `|-`.',
  },
  'payload-minus-zero': {
    at: '7:14',
    what: 'the number `-0` would be sent as 0',
    suggestion: 'Write the whole payload as text, e.g. with `|-`.',
  },
  'payload-plus': {
    at: '7:14',
    what: '`+1` is a number to YAML, but not to JSON',
    suggestion: 'Write it in plain digits, or quote a text: `"+1"`.',
  },
  'payload-surrogate': {
    at: '7:9',
    what: 'a text with half a surrogate pair, which UTF-8 cannot hold',
    suggestion: 'Write the bytes as base64.',
  },
  'payload-tilde': {
    at: '7:14',
    what: '`~` is not how JSON spells it',
    suggestion: 'Write `null`, or quote a text: `"~"`.',
  },
  'reason-cut-by-comment': {
    at: '9:11',
    what: 'an unquoted text is cut by a ` #`',
    suggestion: 'Quote the whole text, or put the comment on a line of its own.',
  },
  'reason-not-latin-1': {
    at: '9:11',
    what: '`reason` has a character that HTTP cannot carry',
    suggestion: 'characters up to U+00FF, without line ends',
  },
  'quote-never-closed': {
    at: '9:9',
    what: 'this quote is never closed',
    suggestion: "Close it. A quote in a text in double quotes is spelled `\\\"`, one in single quotes `''`.",
  },
  'reason-number': { at: '9:11', what: '`reason` is the number `200`', suggestion: 'Quote it: `"200"`.' },
  'repeat-list': { at: '4:9', what: '`repeat` is a list', suggestion: 'a whole number, 1 or more' },
  'repeat-word': {
    at: '4:9',
    what: '`repeat` is `allways`',
    suggestion: 'Did you mean `always`?',
  },
  'repeat-zero': { at: '4:9', what: '`repeat` is the number `0`', suggestion: 'a whole number, 1 or more' },
  'repeat-other-word': {
    at: '4:9',
    what: '`repeat` is `forever`',
    suggestion: 'a number from 1, or `always`',
  },
  'request-missing': {
    at: '3:1',
    what: 'this document has no `request`',
    suggestion: 'Add `request` to it.',
  },
  'request-text': { at: '4:10', what: '`request` is a text', suggestion: 'a mapping, `key: value`' },
  'status-list': {
    at: '8:11',
    what: '`status` is a list',
    suggestion: 'the number of an HTTP status, 200 to 999',
  },
  'status-missing': { at: '7:1', what: '`response` has no `status`', suggestion: 'Add `status` to it.' },
  'status-too-small': {
    at: '8:11',
    what: '`status` is `101`',
    suggestion: 'the number of an HTTP status, 200 to 999',
  },
  'status-with-reason': {
    at: '8:11',
    what: '`status` is `404 Not Found`',
    suggestion: 'What comes after it is the `reason`.',
  },
  'tab-as-indent': {
    at: '8:1',
    what: 'this is not valid YAML: Tabs are not allowed as indentation',
    suggestion:
      'Check quotes, brackets and indentation here and in the line before. A text with a `: `, a ` #`, a bracket or a quote at its start must be quoted.',
  },
  tag: {
    at: '4:13',
    what: 'a YAML tag: `tag:yaml.org,2002:str`',
    suggestion: 'Remove the tag; quote a value that must be a text.',
  },
  'time-goes-back-in-cuts': {
    at: '10:30',
    what: 'time goes back: 24 ms after 25 ms',
    suggestion: 'Times count from the start of the exchange, in the order of the file.',
  },
  'time-goes-back-in-end': {
    at: '10:12',
    what: 'time goes back: 29 ms after 30 ms',
    suggestion: 'Times count from the start of the exchange, in the order of the file.',
  },
  'time-goes-back-in-events': {
    at: '11:13',
    what: 'time goes back: 19 ms after 20 ms',
    suggestion: 'Times count from the start of the exchange, in the order of the file.',
  },
  'time-goes-back-to-response': {
    at: '11:13',
    what: 'time goes back: 20 ms after 30 ms',
    suggestion: 'Times count from the start of the exchange, in the order of the file.',
  },
  'time-negative': {
    at: '4:5',
    what: '`at` is the number `-3`',
    suggestion: 'milliseconds: a number, 0 or more',
  },
  'time-text': { at: '4:5', what: '`at` is a text', suggestion: 'milliseconds: a number, 0 or more' },
  'too-deep': {
    at: '7:87',
    what: 'nested more than 80 deep',
    suggestion: 'Write a payload that is nested so deeply as text.',
  },
  'torn-before-another': {
    at: '3:1',
    what: 'exchange 1 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'torn-in-a-text': {
    at: '3:1',
    what: 'exchange 1 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'torn-in-its-end': {
    at: '3:1',
    what: 'exchange 1 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  torn: {
    at: '11:1',
    what: 'exchange 2 is torn: it does not reach its `end`',
    suggestion:
      'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  },
  'two-documents-in-one': {
    at: '11:1',
    what: 'a document ends with `...` and another follows',
    suggestion: 'Begin each document with a line `---`.',
  },
  'unclosed-bracket': {
    at: '10:3',
    what: 'this is not valid YAML: Flow map in block collection must be sufficiently indented and end with a }',
    suggestion:
      'Check quotes, brackets and indentation here and in the line before. A text with a `: `, a ` #`, a bracket or a quote at its start must be quoted.',
  },
  'unknown-dialect': {
    at: '3:11',
    what: '`exchange` is `generate-contents`, which this version does not know',
    suggestion: 'Did you mean `generate-content`?',
  },
  'unknown-key-in-end': {
    at: '9:8',
    what: '`end` has an unknown key: `att`',
    suggestion: 'Did you mean `at`?',
  },
  'unknown-key-in-event': {
    at: '10:7',
    what: 'this event has an unknown key: `dat`',
    suggestion: 'Did you mean `data`?',
  },
  'unknown-key-in-request': {
    at: '7:3',
    what: '`request` has an unknown key: `bodi`',
    suggestion: 'Did you mean `body`?',
  },
  'unknown-key-in-response': {
    at: '8:3',
    what: '`response` has an unknown key: `statsu`',
    suggestion: 'Did you mean `status`?',
  },
  'unknown-key-of-ones-own': {
    at: '4:1',
    what: 'this exchange has an unknown key: `ticket`',
    suggestion: 'A key of your own must begin with `x-`.',
  },
  'unknown-key': {
    at: '9:1',
    what: 'this exchange has an unknown key: `respones`',
    suggestion: 'Did you mean `response`?',
  },
  'unquoted-colon': {
    at: '9:11',
    what: 'this is not valid YAML: Nested mappings are not allowed in compact mappings',
    suggestion:
      'Check quotes, brackets and indentation here and in the line before. A text with a `: `, a ` #`, a bracket or a quote at its start must be quoted.',
  },
  'url-missing': { at: '4:1', what: '`request` has no `url`', suggestion: 'Add `url` to it.' },
  'url-relative': {
    at: '6:8',
    what: '`url` is `/v1/models/m:generateContent`',
    suggestion: 'Write the address at the service, with its host.',
  },
  'url-with-blanks': {
    at: '6:8',
    what: '`url` is `https://example.com/a b`',
    suggestion: 'an absolute address, `https://HOST/PATH`',
  },
}

describe.each(Object.entries(EXPECTED))('%s', (name, expected) => {
  it('is refused where it is wrong, with what is wrong and what to do', () => {
    const mistake = mistakeIn(name)
    const { line, column, reason, expected: right, file } = mistake.details
    expect({
      code: mistake.code,
      at: `${String(line)}:${String(column)}`,
      what: reason,
      suggestion: mistake.hint ?? right,
    }).toEqual({ code: 'WIRETAPE_CASSETTE_INVALID', ...expected })
    expect(file).toBe(`${name}.cassette.yaml`)
  })

  it('is shown with three lines of the file, none of them long', () => {
    const { message } = mistakeIn(name)
    const [line, column] = expected.at.split(':')
    expect(message.split('\n')[0]).toBe(`${name}.cassette.yaml:${line}:${column}: ${expected.what}`)
    expect(message).toMatch(new RegExp(String.raw`^> +${line} \|`, 'm'))
    expect(message).toMatch(/^ +\| *\^$/m)
    expect(message.split('\n').filter(text => /^[> ] +\d* \|/.test(text) && text.length > 130)).toEqual([])
  })
})

it('leaves no file in test/invalid untested', () => {
  const names = readdirSync(folder).map(file => file.replace(/\.cassette\.yaml$/, ''))
  expect(names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})
