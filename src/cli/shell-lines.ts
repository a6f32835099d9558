/**
 * What to set in a shell, per runtime, so that its programs come through the tunnel and trust our authority. What is
 * no assignment is a comment: a shell can take all of it.
 *
 * Room: cli.
 */

/** What the lines say. */
export interface ShellFacts {
  readonly url: string
  /** Undefined: not known before a server runs. */
  readonly vertexUrl?: string | undefined
  readonly caFile: string
  /** Values by name of variable. */
  readonly variables: Readonly<Record<string, string>>
  /** What could not be done. */
  readonly notes: readonly string[]
}

/** The lines, each with its line end. */
export function shellLines({ url, vertexUrl, caFile, variables, notes }: ShellFacts): string {
  const set = (...names: readonly string[]): readonly string[] =>
    names.flatMap(name => {
      const value = variables[name]
      return value === undefined ? [] : [`export ${name}=${quoted(value)}`]
    })
  const java = set('JAVA_TOOL_OPTIONS')
  const vertex =
    vertexUrl === undefined
      ? ['# For Vertex AI, GOOGLE_VERTEX_BASE_URL too: record and replay say which, when they start.']
      : [`export GOOGLE_VERTEX_BASE_URL=${vertexUrl}`]
  const lines = [
    `# All: this server is the proxy, and its certificates are signed by ${caFile}`,
    ...set('HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'),
    '',
    '# Python, Go, Ruby, curl: what else is trusted is in the file too.',
    ...set(
      'SSL_CERT_FILE',
      'REQUESTS_CA_BUNDLE',
      'CURL_CA_BUNDLE',
      'AWS_CA_BUNDLE',
      'GIT_SSL_CAINFO',
      'HTTPLIB2_CA_CERTS',
    ),
    '',
    '# JavaScript (Node.js): its SDK knows no proxy, it takes a base URL.',
    `export GOOGLE_GEMINI_BASE_URL=${url}`,
    ...vertex,
    '# A Python client that is set up for Vertex AI by variables alone must not see GOOGLE_GEMINI_BASE_URL. While recording,',
    '# a Go client that is must not see GOOGLE_VERTEX_BASE_URL: it leaves out path and credentials then.',
    ...set('NODE_EXTRA_CA_CERTS'),
    '',
    ...(java.length === 0
      ? ['# Java: no JVM was found, in JAVA_HOME or on the PATH.']
      : ['# Java: the proxy, and a copy of its trust store with ours in it.', ...java]),
    ...notes.map(note => `# Note: ${note}.`),
    '',
    '# Not covered: browsers (give them the base URL, or import the certificate), programs that pin certificates or bring',
    '# a trust store of their own, JVMs that the build starts with other options, containers (mount the file, set the same),',
    '# gRPC: of a model it is refused, of other APIs passed through and not recorded, and while replaying refused.',
  ]
  return `${lines.join('\n')}\n`
}

/** As a POSIX shell reads it. */
function quoted(value: string): string {
  return /^[\w./:,@%+=-]*$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}
