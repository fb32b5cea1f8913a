/** Commands from a hostile record run nothing of the record in sh, bash and zsh. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { curlCommand } from '../../reports/wording/curl.js'
import { rerunCommand, shellWord } from '../../reports/wording/shell.js'
import { sampleHeader } from '../support/records/sample-record.js'
import { sampleEvidence } from '../support/records/sample-row.js'

const pieces = [
  ...['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "'; touch pwned; '", '\n touch pwned\n', '| touch pwned'],
  ...[
    '&& touch pwned',
    '$((1+1))',
    '!!',
    '!-1',
    '<(touch pwned)',
    '>pwned',
    '\\',
    '"',
    "'",
    '$',
    '`',
    '~root',
    '*',
    '{a,b}',
  ],
  ...['=ls', '-n', '--', '#x', '%1', '\u001b[2J', '\u0000', '\u009b', '\u202e', 'ü', ' ', '\t', '\r\n', ''],
]
/** Each piece before each other, so that quotes follow quotes. */
const words = pieces.slice(0, 15).flatMap((first) => pieces.map((second) => `${first}${second}`))
const shells = ['sh', 'bash', 'zsh']

/** In this interactive shell `conform` and `curl` print their arguments; `conform token` prints nothing. */
function paste(t: Test, shell: string, lines: string): { printed: string; isPwned: boolean } {
  const folder = t.testdir()
  const print = `say() { for word in "$@"; do printf '%s\\001' "$word"; done; printf '\\002'; }`
  const script = [print, 'conform() { [ "$1" = token ] || say "$@"; }', 'curl() { say "$@"; }', lines, ''].join('\n')
  const options = {
    cwd: folder,
    input: script,
    env: { PATH: process.env['PATH'], TOKEN: 't', KEY_FILE: 'k', SECRET: 's' },
  }
  const { stdout, error } = spawnSync(shell, [], { ...options, encoding: 'utf8' })
  if (error) throw error
  return { printed: stdout, isPwned: existsSync(join(folder, 'pwned')) }
}

/** No argument can contain NUL. */
const asArgument = (word: string): string => word.replaceAll('\u0000', '')

t.test('each word arrives unchanged, and nothing in it runs', async (t) => {
  t.ok(words.length > 500)
  for (const shell of shells) {
    const { printed, isPwned } = paste(t, shell, words.map((word) => `conform ${shellWord(word)}`).join('\n'))
    const arrived = printed.split('\u0002').map((one) => one.slice(0, -1))
    const wrong = words.filter((word, index) => arrived[index]?.trimEnd() !== asArgument(word).trimEnd())
    t.strictSame(wrong, [], shell)
    t.notOk(isPwned, shell)
  }
})

t.test('nothing from the header or a request of a record runs', async (t) => {
  // The first test quotes all words; each command has several places for one.
  const commands = pieces.flatMap((word) => {
    const header = sampleHeader()
    const hostile = {
      ...header,
      target: { ...header.target, embedded: false, url: word, authorization: word },
      options: { suite: word, allow: [word] },
    }
    const request = {
      method: word || 'GET',
      url: word,
      headers: [
        [word, word],
        ['authorization', word],
      ] as [string, string][],
    }
    return [
      rerunCommand({ id: word }, hostile as unknown as typeof header), // a forged record can have any permissions
      rerunCommand({ id: word }, { ...header, options: { settingsFile: word } }),
      curlCommand(sampleEvidence({ request: { ...request, body: { text: word, bytes: word.length } } })),
      curlCommand(sampleEvidence({ request }), {
        actor: word,
        token: { name: word, meaning: word },
        header: {
          ...header,
          target: { ...hostile.target, authorization: 'hs256' },
          options: { settingsFile: word },
          callers: [{ actor: word, user: word, credential: word, made: true }],
        },
      }),
    ]
  })
  for (const shell of shells) {
    const { printed, isPwned } = paste(t, shell, commands.join('\n'))
    t.notOk(isPwned, shell)
    t.equal(printed.split('\u0002').length - 1, commands.length, `${shell} completes each command`)
  }
})
