/**
 * Reads the shell commands of the documentation: the lines of all `sh` blocks in README.md, docs/ and suites/README.md.
 *
 * Tests do not run these lines:
 * - Calls of npm or podman. They need a package registry or a container engine.
 * - Lines with a participant of the reader (a host of `.example`, `$TARGET`), an earlier run by its id, or the interface text (`--text`).
 * - Calls of `certify`, `verify`, `explore`, `learn` and `merge`. They take minutes or need complete runs.
 * - Lines after an `export` of such a participant in the same block.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conform } from '../support/processes/conform-process.js'

export interface Block {
  /** `file:line`. */
  place: string
  commands: Command[]
}

export interface Command {
  text: string
  /** Reason if tests do not run it. */
  needs?: string
  /** Arguments of a command of this program, without quotes. */
  words?: string[]
}

/** Throws for a block without a language, whose commands would not be tested. */
export function readBlocks(project: string): Block[] {
  const docs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  return ['README.md', 'suites/README.md', ...pages.sort()].flatMap((page) => blocksOf(project, page))
}

function blocksOf(project: string, page: string): Block[] {
  const text = readFileSync(join(project, page), 'utf8')
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm)].flatMap(([all, , language = '', content = '']) => {
    const place = `${page}:${text.slice(0, text.indexOf(all)).split('\n').length}`
    if (language === '')
      throw new Error(`${place}: this block needs a language: sh for commands, text for anything else`)
    return language === 'sh' ? [{ place, commands: commandsOf(content) }] : []
  })
}

function commandsOf(content: string): Command[] {
  const lines = content
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '')
  let isElsewhere = false
  return lines.map((text) => {
    const words = ownWords(text)
    const needs = isElsewhere ? 'a participant elsewhere' : needOf(text, words)
    isElsewhere ||= needs !== undefined && text.startsWith('export ')
    return { text, ...(needs !== undefined && { needs }), ...(words && { words }) }
  })
}

function needOf(text: string, words: readonly string[] = []): string | undefined {
  if (/^(?:npm|podman) /.test(text)) return 'a registry or a container engine'
  if (/\.example\b|\$TARGET|results\/\d|--text\b/.test(text)) return 'a participant, run or text of the reader'
  return /^(?:certify|verify|explore|learn|merge)$/.test(words[0] ?? '') ? 'minutes' : undefined
}

function ownWords(text: string): string[] | undefined {
  const own = /^(?:npx participant-conformance|conform) ([^&|;>]*)/.exec(text)?.[1]
  return own?.match(/'[^']*'|"[^"]*"|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
}

/** The commands that tests run. */
export const runnable = ({ commands }: Block): Command[] => commands.filter(({ needs }) => needs === undefined)

/** No call may need the effect of another. */
const areIndependent = (commands: readonly Command[]): boolean =>
  commands.every(({ text, words }) => words !== undefined && !/[&|;>$]/.test(text))

/** Without calls that an earlier block contains. Blocks with dependent calls keep all. */
export function withoutRepeated(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>()
  return blocks.map((block) => {
    const commands = runnable(block)
    const chosen = areIndependent(commands) ? commands.filter(({ text }) => !seen.has(text)) : commands
    for (const { text } of commands) seen.add(text)
    return { ...block, commands: chosen }
  })
}

/** The first runnable call of each command of this program. */
export function firstCalls(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>()
  const isFirst = ({ words: [name] = [] }: Command): boolean => {
    const isNew = name !== undefined && !seen.has(name)
    if (isNew) seen.add(name)
    return isNew
  }
  return blocks.map((block) => ({ ...block, commands: runnable(block).filter(isFirst) }))
}

/** All blocks with dependent calls, and the first call of each command in the others. */
export function sampleCalls(blocks: readonly Block[]): Block[] {
  const isWhole = (block: Block): boolean => !areIndependent(runnable(block))
  return [...firstCalls(blocks.filter((block) => !isWhole(block))), ...blocks.filter(isWhole)]
}

/** Options by command, such as `list rules`. */
export type KnownOptions = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the options of commands from their help. */
export async function readOptions(calls: readonly (readonly string[])[]): Promise<KnownOptions> {
  const known = new Map<string, Set<string>>()
  for (const command of new Set(calls.map(commandOf))) {
    const help = await conform(...command.split(' '), '--help')
    const options = [...help.stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option)
    // The help of an unknown command is that of the program.
    if (help.stdout.startsWith(`Usage: conform ${command} `)) known.set(command, new Set(options))
  }
  return known
}

/** A command has at most two words. */
const commandOf = ([name = '', second = '']: readonly string[]): string =>
  name === 'list' && /^[a-z]/.test(second) ? `${name} ${second}` : name

/** An unknown command or option of a call. */
export function unknownWord(words: readonly string[], options: KnownOptions): string | undefined {
  const command = commandOf(words)
  const known = options.get(command)
  if (known === undefined) return `unknown command ${command}`
  const unknown = words.find((word) => word.startsWith('--') && !known.has(word.replace(/=.*$/, '')))
  return unknown === undefined ? undefined : `${command} has no option ${unknown}`
}
