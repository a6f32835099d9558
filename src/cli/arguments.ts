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
import { didYouMean, nearWord } from './nearest.ts'
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
    program.parse(helpWords(own, program), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { type: 'print', text }
    throw usageError(error, own, program)
  }
  return checked(chosen, command)
}

/** `help replay` is `replay --help`. */
function helpWords(words: readonly string[], program: Command): readonly string[] {
  const [first, ...rest] = words
  if (first !== 'help') return words
  const [name] = rest.filter(word => !word.startsWith('-'))
  if (name === undefined) return ['--help']
  // Of a command that there is not, Commander would print the help for all.
  return program.commands.some(command => command.name() === name) ? [name, '--help'] : [name]
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
      return unknownOption(typed, words, used ?? program, help)
    case 'commander.missingArgument':
      return fail(`${typed} is missing.`, `Usage: wiretape ${used?.name()} ${used?.usage()}`)
    case 'commander.excessArguments':
      return fail(
        `There are more words than 'wiretape ${used?.name()}' takes.`,
        runsCommand(used)
          ? `To run a command of yours, put '--' before it: ${used?.usage()}`
          : `Usage: wiretape ${used?.name()} ${used?.usage()}`,
      )
  }
  return fail(`${error.message.replace(/^error: /, '')}.`)
}

/** Only what is near was meant: an option of another command is like none of this one's. */
function unknownOption(
  typed: string,
  words: readonly string[],
  command: Command,
  help: string,
): WiretapeError {
  const at = words.findIndex(word => word === typed || word.startsWith(`${typed}=`))
  const before = words.slice(Math.max(0, at - 2), at)
  // `record FILE npm --silent`: the option of a command that stands there without its dashes.
  const dashes =
    runsCommand(command) && before.length === 2 && before.every(word => !/^-|\.ya?ml$/.test(word))
  const near = nearWord(typed, optionsOf(command))
  const name = command.parent === null ? 'wiretape' : `wiretape ${command.name()}`
  const advice =
    near === undefined ? `'${name}' takes ${optionsOf(command).join(', ')}.` : `Did you mean '${near}'?`
  return new WiretapeError('WIRETAPE_USAGE', `There is no option '${typed}'. ${advice}`, {
    hint: dashes ? `To run a command of yours, put '--' before it: ${command.usage()}` : help,
  })
}

/** True for a command that runs one of the user's. */
function runsCommand(command: Command | undefined): boolean {
  return command?.usage().includes('-- COMMAND') === true
}

function optionsOf(command: Command): readonly string[] {
  return [...command.options.map(option => option.long ?? option.flags), '--help']
}
