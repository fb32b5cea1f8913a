/** The table and the schema that are written from the settings. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const schema = await readFile(join(root, 'suites/schema/target.schema.json'), 'utf8')
const page = await readFile(join(root, 'docs/reference/settings.md'), 'utf8')

function check(t: Test, text: string) {
  const cwd = t.testdir({
    docs: { reference: { 'settings.md': text } },
    suites: { schema: { 'target.schema.json': schema } },
  })
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli/tool/write-settings.js'), '--current'],
    { cwd, encoding: 'utf8' },
  )
  return { output: stdout + stderr, status }
}

t.test('another line, and a page without the table, are errors', async (t) => {
  t.match(check(t, page.replace('| `target` |', '| `other` |')), { output: /settings\.md differs from/, status: 1 })
  t.match(check(t, page.replace('| In a file |', '| In files |')), {
    output: /docs\/reference\/settings\.md has no table of settings/,
    status: 1,
  })
})
