/** reports/wording/shell.ts and reports/wording/curl.ts: commands that are printed from a hostile record run nothing of it in sh, bash and zsh. */
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
/** 525 words: each piece in front of others, so that quotes meet quotes. */
const words = pieces.slice(0, 15).flatMap((first) => pieces.map((second) => `${first}${second}`))
const shells = ['sh', 'bash', 'zsh']

/** What a shell that is typed into makes of the lines, in which `conform` and `curl` only say their words. */
function paste(t: Test, shell: string, lines: string): { said: string; isPwned: boolean } {
  const folder = t.testdir()
  const speak = `say() { for word in "$@"; do printf '%s\\001' "$word"; done; printf '\\002'; }`
  const script = [speak, 'conform() { say "$@"; }', 'curl() { say "$@"; }', lines, ''].join('\n')
  const options = {
    cwd: folder,
    input: script,
    env: { PATH: process.env['PATH'], TOKEN: 't', KEY_FILE: 'k', SECRET: 's' },
  }
  const { stdout, error } = spawnSync(shell, [], { ...options, encoding: 'utf8' })
  if (error) throw error
  return { said: stdout, isPwned: existsSync(join(folder, 'pwned')) }
}

/** NUL is in no argument, and a command loses line feeds at its end. */
const asArgument = (word: string): string => word.replaceAll('\u0000', '')

t.test('each word arrives as it is, and nothing in it runs', async (t) => {
  t.ok(words.length > 500)
  for (const shell of shells) {
    const { said, isPwned } = paste(t, shell, words.map((word) => `conform ${shellWord(word)}`).join('\n'))
    const arrived = said.split('\u0002').map((one) => one.slice(0, -1))
    const wrong = words.filter((word, index) => arrived[index]?.trimEnd() !== asArgument(word).trimEnd())
    t.strictSame(wrong, [], shell)
    t.notOk(isPwned, shell)
  }
})

t.test('nor does what a record says of its run, or of a request', async (t) => {
  const commands = words.flatMap((word) => {
    const header = sampleHeader()
    const hostile = {
      ...header,
      target: { ...header.target, embedded: false, url: word, authorization: word },
      options: { suite: word, out: word, allow: [word] },
    }
    const request = {
      method: word || 'GET',
      url: word,
      headers: [
        [word, word],
        ['authorization', word],
      ] as [string, string][],
    }
    // A record that was read holds what somebody wrote into it.
    return [
      rerunCommand(word, hostile as unknown as typeof header), // permissions of a forged record are any text
      curlCommand(sampleEvidence({ request: { ...request, body: { text: word, bytes: word.length } } })),
    ]
  })
  for (const shell of shells) {
    const { said, isPwned } = paste(t, shell, commands.join('\n'))
    t.notOk(isPwned, shell)
    t.equal(said.split('\u0002').length - 1, commands.length, `${shell} ran each command, and each to its end`)
  }
})
