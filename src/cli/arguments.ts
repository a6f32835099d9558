/**
 * From the words of a command line to what is to be done, or to a `WIRETAPE_USAGE` that names the right word.
 *
 * What follows a `--` is the user's command and is never looked at.
 *
 * Room: cli.
 */
import { type Command, CommanderError } from 'commander'
import { WiretapeError } from '../errors.ts'
import type { Invocation, UserCommand } from './invocation.ts'
import { didYouMean } from './nearest.ts'
import { createProgram } from './program.ts'

/** Reads a command line, without the names of Node and of the script. Throws `WIRETAPE_USAGE`. */
export function readArguments(words: readonly string[]): Invocation {
  const split = words.indexOf('--')
  // Only `--json=FILE` names a file; a word after a bare `--json` is something else.
  const own = (split === -1 ? words : words.slice(0, split)).map(word =>
    word === '--json' ? '--json=' : word,
  )
  const command = split === -1 ? undefined : userCommand(words.slice(split + 1))
  let text = ''
  let chosen: Invocation | undefined
  const program = createProgram({
    print: printed => {
      text += printed
    },
    choose: invocation => {
      chosen = invocation
    },
    command,
  })
  try {
    program.parse(own, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { type: 'print', text }
    throw usageError(error, own, program)
  }
  return checked(chosen, command)
}

function userCommand(words: readonly string[]): UserCommand {
  const [name, ...rest] = words
  if (name !== undefined && name !== '') return [name, ...rest]
  throw new WiretapeError('WIRETAPE_USAGE', "Nothing stands after '--'.", {
    hint: "Put the command there that runs your app, e.g. '-- npm test'.",
  })
}

function checked(chosen: Invocation | undefined, command: UserCommand | undefined): Invocation {
  // Commander either runs one of our actions or throws; this is for the compiler.
  if (chosen === undefined) throw new WiretapeError('WIRETAPE_USAGE', 'No command was given.')
  if (command === undefined || chosen.type === 'record' || chosen.type === 'replay') return chosen
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `'wiretape ${chosen.type}' runs no command of yours after '--'.`,
    {
      hint: "'wiretape record' and 'wiretape replay' do.",
    },
  )
}

/** Commander's complaint in our form, with the nearest right word whatever the distance. */
function usageError(error: CommanderError, words: readonly string[], program: Command): WiretapeError {
  const used = program.commands.find(
    candidate => candidate.name() === words.find(word => !word.startsWith('-')),
  )
  const help = `See '${used === undefined ? 'wiretape' : `wiretape ${used.name()}`} --help'.`
  const typed = /'([^']*?)=?'/.exec(error.message)?.[1] ?? ''
  const commands = program.commands.map(candidate => candidate.name())
  const fail = (message: string, hint = help) => new WiretapeError('WIRETAPE_USAGE', message, { hint })
  switch (error.code) {
    case 'commander.help':
      return fail(`No command was given: one of ${commands.join(', ')}.`)
    case 'commander.unknownCommand':
      return fail(
        `There is no command '${typed}'. ${didYouMean(typed, [...commands, ...optionsOf(program)])}`,
      )
    case 'commander.unknownOption':
      return fail(`There is no option '${typed}'. ${didYouMean(typed, optionsOf(used ?? program))}`)
    case 'commander.missingArgument':
      return fail(`${typed} is missing.`, `Usage: wiretape ${used?.name()} ${used?.usage()}`)
    case 'commander.excessArguments':
      return fail(
        `There are more words than 'wiretape ${used?.name()}' takes.`,
        `To run a command of yours, put '--' before it: ${used?.usage()}`,
      )
  }
  return fail(`${error.message.replace(/^error: /, '')}.`)
}

function optionsOf(command: Command): readonly string[] {
  return [...command.options.map(option => option.long ?? option.flags), '--help']
}
