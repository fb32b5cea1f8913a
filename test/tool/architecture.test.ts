/** The check of imports, the length of source files, and the size of folders. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function check(project: string) {
  const script = join(root, 'tools/checks/check-architecture.mjs')
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, project], { encoding: 'utf8' })
  return { findings: stderr.split('\n').filter(Boolean), summary: stdout.trim(), status }
}

/** A small project: its permitted imports, from line 4 of the page, and its sources by path. */
function checkProject(t: Test, permitted: string[], sources: Record<string, string>) {
  const folders: Record<string, Record<string, string>> = {
    docs: { 'imports.md': ['# Imports', '', '```yaml imports', ...permitted, '```', ''].join('\n') },
  }
  for (const [path, text] of Object.entries(sources)) {
    const [, folder = '', file = ''] = /^(.*)\/(.*)$/.exec(path) ?? []
    folders[folder] = { ...folders[folder], [file]: text }
  }
  return check(t.testdir(folders))
}

t.test('permitted imports have no findings', async (t) => {
  const found = checkProject(t, ['high: [low]', 'low: []'], {
    'high/all.ts':
      "import { one } from '../low/one.js'\nimport { dirname, join } from 'node:path'\nimport data from './data.json'\nimport './all.css'\n",
    'low/one.ts': 'export const one = 1\n',
    'low/node_modules/other/other.mjs': "import '../../../high/all.js'\n",
  })
  t.strictSame(found, { findings: [], summary: '2 sources, 1 imports: no findings', status: 0 })
})

t.test('every form of import is checked', async (t) => {
  const forms = {
    'values.ts': "import { high } from '../high/high.js'",
    'types.ts': "import type { High } from '../high/high.js'",
    'nothing-but-types.ts': "import { type High } from '../high/high.js'",
    'effect.ts': "import '../high/high.js'",
    'values-on.ts': "export { high } from '../high/high.js'",
    'types-on.ts': "export type { High } from '../high/high.js'",
    'everything-on.ts': "export * from '../high/high.js'",
    'dynamic.ts': "export const later = async () => (await import('../high/high.js')).high",
    'type-by-path.ts': "export type Other = { high: import('../high/high.js').High }",
    'type-of-module.ts': "export type Other = typeof import('../high/high.js')",
    'element.tsx': "import { high } from '../high/high.js'",
    'script.mjs': "import { high } from '../high/high.js'",
    'compiled.mjs': "import { high } from '../dist/high/high.js'",
  }
  const low = Object.entries(forms).map(([name, text]) => [`low/${name}`, `// Höhe 😀\n\n${text}\n`])
  const high = { 'high/high.ts': 'export const high = 1\nexport type High = 1\n' }
  const { findings, status } = checkProject(t, ['high: []', 'low: []'], { ...high, ...Object.fromEntries(low) })
  const names = findings.map(
    (line) =>
      /^low\/(.*):3: docs\/imports.md:5 does not permit low -> high: remove the import of high\/high.ts$/.exec(
        line,
      )?.[1],
  )
  t.strictSame(names, Object.keys(forms).sort())
  t.equal(status, 1)
})

t.test('files directly in a folder may import its folders, unless a line restricts them', async (t) => {
  const sources = {
    'app/main.ts': "import './one/one.js'\n",
    'app/one/one.ts': "import '../two/two.js'\n",
    'app/two/two.ts': 'export const two = 2\n',
  }
  const back = { ...sources, 'app/two/two.ts': "import type { Main } from '../other.js'\n", 'app/other.ts': '' }
  t.strictSame(checkProject(t, ['app: []', 'app/one: [two]', 'app/two: []'], sources).findings, [])
  t.strictSame(checkProject(t, ['app: []', 'app/one: [two]', 'app/two: []'], back).findings, [
    'app/two/two.ts:1: docs/imports.md:6 does not permit app/two -> app/.: remove the import of app/other.ts',
  ])
  t.strictSame(checkProject(t, ['app: []', 'app/.: []', 'app/one: [two]', 'app/two: [.]'], back).findings, [
    'app/main.ts:1: docs/imports.md:5 does not permit app/. -> app/one: remove the import of app/one/one.ts',
  ])
  t.strictSame(checkProject(t, ['app: []'], back).findings, [], 'a folder without lines about its inside has no rules')
})

t.test('a cycle of type imports is reported once, as its shortest chain', async (t) => {
  const { findings } = checkProject(t, ['app: []'], {
    'app/a.ts': "import type { B } from './b.js'\nimport './c.js'\n",
    'app/b.ts': "\nimport './c.js'\n",
    'app/c.tsx': "\n\nexport type { A } from './a.js'\n",
  })
  t.strictSame(findings, [
    'app/a.ts:2: imports form a cycle: app/a.ts:2 -> app/c.tsx:3 -> app/a.ts',
    'app/b.ts:2: imports form a cycle: app/b.ts:2 -> app/c.tsx:3 -> app/a.ts:1 -> app/b.ts',
  ])
})

t.test('an unresolved import is a finding', async (t) => {
  const text = "import './gone.js'\nexport const load = (name: string) => import(name)\n"
  const { findings } = checkProject(t, ['app: []', 'test: []'], {
    'app/a.ts': text,
    'app/b.ts': '\n\nconst =',
    'test/a.ts': text,
  })
  t.strictSame(findings, [
    'app/a.ts:1: ./gone.js is not a source of this project',
    'app/a.ts:2: import() needs a literal name, because a computed name cannot be checked',
    'app/b.ts:3: cannot be read: Unexpected token',
    'test/a.ts:1: ./gone.js is not a source of this project',
  ])
})

t.test('errors of the page are findings', async (t) => {
  const sources = { 'app/a.ts': "import '../base/b.js'\n", 'base/b.ts': '', 'new/c.ts': '' }
  t.strictSame(checkProject(t, ['app: [base, new, gone]', 'base: [app]', 'old: []'], sources).findings, [
    'docs/imports.md:1: the list of imports has no line for new',
    'docs/imports.md:6: old has no sources',
    'docs/imports.md:4: remove app -> new: no import uses it',
    'docs/imports.md:4: remove app -> gone: gone has no sources',
    'docs/imports.md:5: remove base -> app: no import uses it',
    'docs/imports.md:4: the permitted imports form a cycle: app -> base -> app',
  ])
  t.strictSame(checkProject(t, ['app: base'], { 'app/a.ts': '' }).findings, [
    'docs/imports.md:4: app needs a list, such as [one, other] or []',
  ])
  t.strictSame(check(t.testdir({ docs: { 'imports.md': '# Imports\n' } })).findings, [
    'docs/imports.md:1: the list of imports is missing: a code block that starts with ```yaml imports',
  ])
})

t.test('only the listed places may use file content and the console', async (t) => {
  const project = t.testdir({
    docs: {
      'imports.md':
        '```yaml imports\napp: []\nlib: []\n```\n\n```yaml file content\nlib/files: inputs\napp/own.ts: its own file\napp/idle.ts: none\n```\n',
    },
    lib: { files: { 'read.ts': "import { openSync } from 'node:fs'\n" } },
    app: {
      'own.ts': "import { readFileSync } from 'node:fs'\n",
      'idle.ts': '',
      'meta.ts': "import { type FileHandle, stat, mkdir } from 'node:fs/promises'\n",
      'reads.ts': "\nimport { stat, readFile } from 'node:fs/promises'\n",
      'writes.ts': "import { writeFile as write } from 'node:fs/promises'\nimport { createWriteStream } from 'fs'\n",
      'prints.ts': "console.log('x')\nconst { error } = console\nprocess.stderr.write('x')\nprocess.exit()\n",
      'all.ts': "import * as fs from 'node:fs'\nimport other from 'fs/promises'\n",
      'later.ts':
        "export const a = () => import('node:fs')\nexport const b = createRequire(import.meta.url)('fs')\n" +
        "export * from 'node:fs/promises'\nprocess.getBuiltinModule('node:fs')\nconst { log } = await import('node:console')\n",
    },
  })
  t.strictSame(check(project).findings, [
    'app/all.ts:1: everything of node:fs: only the places in docs/imports.md may use it',
    'app/all.ts:2: everything of node:fs: only the places in docs/imports.md may use it',
    'app/later.ts:1: everything of node:fs: only the places in docs/imports.md may use it',
    'app/later.ts:2: everything of node:fs: only the places in docs/imports.md may use it',
    'app/later.ts:3: everything of node:fs: only the places in docs/imports.md may use it',
    'app/later.ts:4: everything of node:fs: only the places in docs/imports.md may use it',
    'app/later.ts:5: the module: only the places in docs/imports.md may use it',
    'app/prints.ts:1: console: only the places in docs/imports.md may use it',
    'app/prints.ts:2: console: only the places in docs/imports.md may use it',
    'app/prints.ts:3: a stream of the process: only the places in docs/imports.md may use it',
    'app/reads.ts:2: readFile of node:fs: only the places in docs/imports.md may use it',
    'app/writes.ts:1: writeFile of node:fs: only the places in docs/imports.md may use it',
    'app/writes.ts:2: createWriteStream of node:fs: only the places in docs/imports.md may use it',
    'docs/imports.md:1: remove app/idle.ts: it uses neither file content nor the console',
  ])
})

/** Paths of all sources. */
function sourceFiles(): string[] {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
  return tracked.trim().split('\n')
}

t.test('a condition on the words of a message is a finding, except in wording and cli', async (t) => {
  const conditions = [
    "error.message.startsWith('no')",
    "finding?.what?.includes('no')",
    "/no/.test(row.reason ?? '')",
    'pattern.exec(sentence)',
  ]
  const source = conditions.map((one, index) => `export const is${index} = () => ${one}\n`).join('')
  const harmless = "export const isOwn = () => row.id.startsWith('A') && reason.code === 'unmet' && /a/.test(path)\n"
  const found = checkProject(t, ['cli: []', 'reports: []', 'reports/wording: []', 'runner: []'], {
    'runner/reads.ts': source,
    'runner/facts.ts': harmless,
    'cli/text.ts': source,
    'reports/wording/text.ts': source,
  })
  t.strictSame(
    found.findings.map((line) =>
      /^(runner\/reads\.ts:\d): a condition reads the words of (\w+): /.exec(line)?.slice(1),
    ),
    [
      ['runner/reads.ts:1', 'message'],
      ['runner/reads.ts:2', 'what'],
      ['runner/reads.ts:3', 'reason'],
      ['runner/reads.ts:4', 'sentence'],
    ],
  )
})

t.test('no source file is longer than 400 lines', async (t) => {
  for (const file of sourceFiles()) {
    const text = await readFile(join(root, file), 'utf8')
    t.ok(text.split('\n').length <= 401, file)
  }
})

t.test('no folder has more than 20 source files', (t) => {
  const counts = new Map<string, number>()
  for (const file of sourceFiles()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const large = [...counts].filter(([, count]) => count > 20)
  t.strictSame(large, [])
  t.end()
})
