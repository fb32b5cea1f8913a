/**
 * The shell commands of the documentation: every line of each block that opens with ```sh, in README.md, docs/ and suites/README.md.
 *
 * A line runs offline unless
 * - it calls npm or podman: these need a package registry, or a container engine;
 * - it names what only its reader has: a participant elsewhere (a host of `.example`, `$TARGET`) or an earlier run by its id;
 * - it calls a command that takes minutes, or that needs what whole runs leave: `certify`, `verify`, `prove`, `explore` and `merge`;
 * - it follows an `export` of such a name in the same block.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  /** File and line, as compilers print them. */
  place: string
  /** Each on one line, without its comment. */
  commands: Command[]
}

export interface Command {
  text: string
  /** Why it is not run. */
  needs?: string
  /** Words behind the name of our own command, without quotes. */
  words?: string[]
}

/** Throws where a block has no language: a reader could take it for commands, and these tests would not. */
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
  if (/\.example\b|\$TARGET|results\/\d/.test(text)) return 'what only its reader has'
  return /^(?:certify|verify|prove|explore|merge)$/.test(words[0] ?? '') ? 'minutes' : undefined
}

function ownWords(text: string): string[] | undefined {
  const own = /^(?:npx participant-conformance|conform) ([^&|;>]*)/.exec(text)?.[1]
  return own?.match(/'[^']*'|"[^"]*"|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
}

/** The commands of a block that run here. */
export const runnable = ({ commands }: Block): Command[] => commands.filter(({ needs }) => needs === undefined)

/** Of each command of ours the first call that runs here, and nothing else. */
export function firstCalls(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>()
  const isFirst = ({ words: [name] = [] }: Command): boolean => {
    const isNew = name !== undefined && !seen.has(name)
    if (isNew) seen.add(name)
    return isNew
  }
  return blocks.map((block) => ({ ...block, commands: runnable(block).filter(isFirst) }))
}

/**
 * What is wrong with a call, by the help of its command. `helpOf` gives the text for the words of a command, `list rules` for example,
 * and undefined where there is no such command.
 */
export async function wrongWord(
  words: readonly string[],
  helpOf: (...command: string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [name = '', second = ''] = words
  const subcommand = name === 'list' && /^[a-z]/.test(second) ? [name, second] : [name]
  const help = await helpOf(...subcommand)
  if (help === undefined) return `there is no command ${subcommand.join(' ')}`
  const known = new Set(help.match(/^ +(?:-\w, )?--[\w-]+/gm)?.map((option) => option.trim().replace(/^-\w, /, '')))
  const unknown = words.find((word) => word.startsWith('--') && !known.has(word.replace(/=.*$/, '')))
  return unknown === undefined ? undefined : `${subcommand.join(' ')} has no option ${unknown}`
}
