/** Changes of watched files between two calls of `next`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { watchFiles } from '../../../cli/console/watched-files.js'

t.test('a change while nothing waits, as during a run, is not lost', { timeout: 30_000 }, async (t) => {
  const folder = t.testdir({ 'case.yaml': '' })
  const watched = await watchFiles([folder])
  const other = await watchFiles([folder])
  t.teardown(() => {
    watched.close()
    other.close()
  })
  writeFileSync(join(folder, 'case.yaml'), 'cases: []')
  // The other watch, which began later, shows that the system has reported the change to both.
  t.ok(await other.next())
  t.ok(await watched.next(), 'it waits for no further change')
})

t.test('a closed watch waits for nothing', async (t) => {
  const watched = await watchFiles([t.testdir({ 'case.yaml': '' })])
  const next = watched.next()
  watched.close()
  t.notOk(await next)
  t.notOk(await watched.next())
})
