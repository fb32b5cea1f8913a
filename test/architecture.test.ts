import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))

t.test('imports point the way that the design says', async (t) => {
  const options = await extractOptions(join(root, '.dependency-cruiser.cjs'))
  const { output } = await cruise(['dist'], { ...options, validate: true })
  if (typeof output === 'string') throw new Error('the cruiser answered with a text')
  t.ok(output.summary.totalCruised > 100, 'the cruiser has seen the modules')
  t.strictSame(
    output.summary.violations.map(({ from, to, rule }) => `${from} -> ${to}: ${rule.name}`),
    [],
  )
})

t.test('no source file is longer than 400 lines', async (t) => {
  const folders = ['interface', 'record', 'model', 'runner', 'simulator', 'reports', 'cli', 'test']
  for (const folder of folders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
      const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
      t.ok(text.split('\n').length <= 401, `${folder}/${entry.name}`)
    }
  }
})
