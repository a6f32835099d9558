/** The public issues that cassettes name in their notes. */

/** An issue, a pull request or a discussion of another project. */
export interface Issue {
  /** E.g. `google/adk-python`. */
  readonly project: string
  readonly number: string
  readonly url: string
}

const URL_IN_TEXT = /https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull|discussions)\/(\d+)/g
const IN_WORDS = /\b([\w.-]+\/[\w.-]+)(?: (issue|pull request|discussion) |#)(\d+)/g
const PLACES: Readonly<Record<string, string>> = {
  'pull request': 'pull',
  discussion: 'discussions',
}

/** The issues that a note names, by their address or in words (`google/adk-python issue 6583`), each once. */
export function issuesIn(note: string): readonly Issue[] {
  const byAddress = [...note.matchAll(URL_IN_TEXT)].map(([url, project = '', number = '']) => ({
    project,
    number,
    url,
  }))
  const inWords = [...note.replaceAll(URL_IN_TEXT, '').matchAll(IN_WORDS)].map(
    ([, project = '', kind = '', number = '']) => ({
      project,
      number,
      url: `https://github.com/${project}/${PLACES[kind] ?? 'issues'}/${number}`,
    }),
  )
  const all = [...byAddress, ...inWords]
  return all.filter((one, index) => all.findIndex(other => other.url === one.url) === index)
}

/** A note without the addresses at its end. */
export function withoutAddresses(note: string): string {
  return note.replaceAll(URL_IN_TEXT, '').replaceAll(/\s+/g, ' ').trim()
}

/** The issue as a link. */
export function linkTo({ project, number, url }: Issue): string {
  return `[${project}#${number}](${url})`
}

/** The runtimes that are made of a project's code, by their names in the matrix. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  'google/adk-go': ['adk-go'],
  'google/adk-java': ['adk-java'],
  'google/adk-js': ['adk-js', 'adk-js-progressive'],
  'google/adk-python': ['adk-python'],
  'google-gemini/gemini-cli': ['gemini-cli'],
  'googleapis/go-genai': ['genai-go'],
  'googleapis/java-genai': ['genai-java'],
  'googleapis/js-genai': ['genai-js', 'chromium'],
  'googleapis/python-genai': ['genai-python', 'genai-python-afc'],
  'langchain-ai/langchain-google': ['langchain'],
  'pydantic/pydantic-ai': ['pydantic-ai'],
  'vercel/ai': ['ai-sdk'],
}

/** The names of the runtimes that an issue is of; none where the matrix has no such. */
export function runtimesOf({ project }: Pick<Issue, 'project'>): readonly string[] {
  return RUNTIMES[project] ?? []
}
