/**
 * The tools of a scenario, as an app has them: each gives the results that were recorded, in order, and remembers
 * what it was run with. Runs in a page as well as in Node.
 */

/** Makes the tools. */
export function createToolbox(tools) {
  const runs = []
  return {
    /** Each run, in order. */
    runs,
    /** Runs a tool. One that nobody declared is no run; the model is told so. */
    run({ name, args = {}, id }) {
      const tool = tools.find(one => one.name === name)
      if (tool === undefined) return { error: `there is no tool ${name}` }
      const before = runs.filter(run => run.name === name).length
      // Copied: a runtime may go on to change what it handed out.
      runs.push({ name, args: structuredClone(args), ...(id ? { id } : {}) })
      return tool.results[before] ?? tool.results.at(-1) ?? { ok: true }
    },
  }
}
