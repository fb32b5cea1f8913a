/** Completion scripts in shells, and the help of `run`. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conform } from '../../support/processes/conform-process.js'

const cases: readonly [words: string[], expected: string[], unexpected: string[]][] = [
  [['con'], ['run', 'doctor', 'token', 'completion'], ['rules', 'bash']],
  [
    ['conform', ''],
    ['run', 'list', '--version'],
    ['rules', '--only'],
  ],
  [['conform', 'li'], ['list', 'lint'], []],
  [['conform', 'list', ''], ['rules', 'mutants', '--json'], ['run']],
  [['conform', 'run', '--fail'], ['--fail-fast', '--failed-of'], ['--target']],
  [
    ['conform', 'run', '--allow', 'write', ''],
    ['read', 'topology', 'upload'],
    ['--target', 'prepare'],
  ],
  [['conform', 'run', '--unreachable', 'pre'], ['prepare'], []],
  [['conform', 'run', '--insecure', '--al'], ['--allow', '--alone-after'], []],
  [['conform', 'run', '--config', ''], [], ['--target', 'run']],
  [['conform', 'completion', ''], ['bash', 'zsh', 'fish'], ['run']],
]

async function scriptFor(t: Test, shell: string): Promise<string> {
  const { code, stdout, stderr } = await conform('completion', shell)
  t.equal(code, 0, stderr)
  const file = join(t.testdir({}), `conform.${shell}`)
  writeFileSync(file, stdout)
  return file
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ')

t.test('bash completes commands, options and known values', async (t) => {
  const file = await scriptFor(t, 'bash')
  for (const [given, expected, unexpected] of cases) {
    const words = given.length === 1 ? ['conform', ''] : given
    const script = `source '${file}'; COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _conform; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    t.equal(status, 0, stderr)
    const found = stdout.split('\n')
    for (const word of expected) t.ok(found.includes(word), `${words.join(' ')} → ${word}`)
    for (const word of unexpected) t.notOk(found.includes(word), `${words.join(' ')} → not ${word}`)
  }
})

t.test('zsh completes by the same function', async (t) => {
  const file = await scriptFor(t, 'zsh')
  // A pseudo-terminal with an interactive zsh: completion works only there.
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=READY; autoload -U compinit; compinit -u -D; source '${file}'; echo LOA''DED"
    zpty -r shell output '*LOADED*'
    zpty -w -n shell $'conform run --unreachable pre\\t'
    zpty -r shell output '*prepare*'
    print -r -- "$output"
    zpty -d shell`
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', timeout: 60_000 })
  t.match(stdout, /--unreachable prepare/, stderr)
})

t.test('fish gets one line for each command, option and value', async (t) => {
  const { stdout } = await conform('completion', 'fish')
  const lines = stdout.trimEnd().split('\n')
  for (const line of lines) t.match(line, /^complete -c (conform|participant-conformance) -n '[^']+' (-f -a|-l) ./)
  t.match(stdout, /^complete -c conform -n 'not __fish_seen_subcommand_from run .*' -f -a run -d 'run the suite/m)
  t.match(stdout, /-n '__fish_seen_subcommand_from run' -l allow -x -a 'read write topology upload hazard' -d /)
})

t.test('other shells are rejected', async (t) => {
  t.match(await conform('completion', 'tcsh'), { code: 2, stderr: /Allowed choices are bash, zsh, fish/ })
})

t.test('the help of run has groups and examples', async (t) => {
  const { stdout } = await conform('run', '--help')
  const headings = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
  t.strictSame(headings, [
    ...['Target and credentials:', 'Connection:', 'Selection of rows:', 'Execution:', 'Result:'],
    ...['Options:', 'Examples:'],
  ])
  for (const line of stdout.split('\n')) t.ok(line.length <= 90, line)
})
