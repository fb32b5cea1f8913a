/** The script that decides whether CI runs the release tests, in small repositories and with a program instead of npm. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('../../../tools/tests/release-if-changed.mjs', import.meta.url))
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']

/** A clone, whose main has the branch `origin/main`. `npmCode`: exit code of the program instead of npm. */
function clone(t: Test, npmCode = 0) {
  const folder = t.testdir({ bin: {}, origin: { 'cli.ts': '', 'package.json': '{}' } })
  const [origin, own] = [join(folder, 'origin'), join(folder, 'clone')]
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "npm $*"\nexit ${npmCode}\n`, { mode: 0o755 })
  const git = (cwd: string, ...options: string[]) => execFileSync('git', options, { cwd, stdio: 'ignore' })
  git(origin, 'init', '--initial-branch=main')
  git(origin, 'add', '.')
  git(origin, ...author, 'commit', '--message', 'all')
  git(folder, 'clone', origin, own)
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` }
  return {
    commit(...files: string[]): void {
      for (const file of files) {
        mkdirSync(dirname(join(own, file)), { recursive: true })
        appendFileSync(join(own, file), '\n')
      }
      git(own, 'add', '.')
      git(own, ...author, 'commit', '--message', 'change')
    },
    git: (...options: string[]) => git(own, ...options),
    decide(): { status: number | null; stdout: string } {
      const { status, stdout } = spawnSync(process.execPath, [script], { cwd: own, env, encoding: 'utf8' })
      return { status, stdout }
    },
  }
}

const called = /\.\nnpm run test:release\n$/

t.test('a change of other files needs no release tests', (t) => {
  const { commit, decide } = clone(t)
  commit('cli.ts', 'apiary.ts')
  t.strictSame(decide(), {
    status: 0,
    stdout: 'No release tests: no file that they cover differs from origin/main.\n',
  })
  t.end()
})

t.test('a change of a covered file in any commit of a submission needs them', (t) => {
  const { commit, decide } = clone(t)
  commit('docs/library.md')
  commit('cli.ts')
  const { stdout } = decide()
  t.match(stdout, /^Release tests: docs\/library\.md changed\./)
  t.match(stdout, called)
  t.end()
})

t.test('an unknown change needs them: a clone of the submitted main, or without a remote', (t) => {
  const { decide, git } = clone(t)
  t.match(decide().stdout, /^Release tests: origin\/main contains this commit/)
  t.match(decide().stdout, called)
  git('remote', 'remove', 'origin')
  t.match(decide().stdout, /^Release tests: git knows no common commit with origin\/main/)
  t.match(decide().stdout, called)
  t.end()
})

t.test('failed release tests are a failure', (t) => {
  t.equal(clone(t, 1).decide().status, 1)
  t.end()
})
