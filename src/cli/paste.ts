/**
 * What to paste into a shell or a program, so that its SDK talks to the server.
 *
 * Room: cli.
 */
import { type Addresses, PLACEHOLDER_KEY } from './environment.ts'

/** What `wiretape record` says to somebody who starts the app elsewhere. */
export function recordPasteLines(addresses: Addresses): string {
  return [`Recording what comes to ${addresses.url}, until Ctrl-C.`, ...lines(addresses, [])].join('\n')
}

/** What `wiretape replay` says. No real key is needed, but the SDKs want to see one. */
export function replayPasteLines(addresses: Addresses): string {
  const key = `  export GEMINI_API_KEY=${PLACEHOLDER_KEY}`
  return [`Replaying at ${addresses.url}, until Ctrl-C.`, ...lines(addresses, [key])].join('\n')
}

/** What `wiretape replay FOLDER` says: there is no base URL without a cassette's name. */
export function folderPasteLines(
  { url, vertexUrl, caFile }: Addresses & { readonly caFile: string | undefined },
  folder: string,
): string {
  const proxy = url.replace('//', '//NAME@')
  return [
    `Replaying the cassettes in ${folder}, until Ctrl-C.`,
    '',
    'In the shell that starts your tests:',
    '',
    `  export WIRETAPE_URL=${url}`,
    `  export WIRETAPE_VERTEX_URL=${vertexUrl}`,
    `  export GEMINI_API_KEY=${PLACEHOLDER_KEY}`,
    '',
    'NAME is the path of a cassette in the folder, without .cassette.yaml:',
    '',
    `  base URL of a test      ${url}/t/NAME`,
    ...(caFile === undefined ? [] : [`  or its HTTPS_PROXY      ${proxy}, with %2F for a slash in NAME`]),
    `  how its replay went     ${url}/__wiretape__/NAME`,
    '',
    '',
  ].join('\n')
}

function lines({ url, vertexUrl }: Addresses, key: readonly string[]): readonly string[] {
  return [
    '',
    'In the shell that starts your app:',
    '',
    `  export GOOGLE_GEMINI_BASE_URL=${url}`,
    `  export GOOGLE_VERTEX_BASE_URL=${vertexUrl}`,
    ...key,
    '',
    'Or in its code (with the second address for Vertex AI):',
    '',
    `  JavaScript  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: '${url}' } })`,
    `  Python      genai.Client(api_key=key, http_options={'base_url': '${url}'})`,
    `  Go          genai.ClientConfig{APIKey: key, HTTPOptions: genai.HTTPOptions{BaseURL: "${url}"}}`,
    `  Java        Client.builder().apiKey(key).httpOptions(HttpOptions.builder().baseUrl("${url}").build()).build()`,
    '',
    '',
  ]
}
