/** The command explore and a target that returns as a different participant. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { conform } from '../../support/processes/conform-process.js'
import { restartable } from '../../support/processes/restarted-simulator.js'

/** Reads the ledger end until the exploration has written. */
async function untilWritten(url: string): Promise<void> {
  for (let offset = 0; offset < 60; ) {
    const answer = await fetch(`${url}/v2/state/ledger-end`)
    offset = Number(Object(await answer.json())['offset'] ?? 0)
  }
}

t.test('a target that returns as a different participant causes exit code 3 without findings', async (t) => {
  const folder = t.testdir()
  const target = await restartable()
  t.teardown(() => target.stop())
  const words = ['explore', '--target', target.url, '--sequences', '2000', '--out', folder, '--seed', 'gone']
  const ended = conform(...words, '--concurrency', '2')
  await untilWritten(target.url)
  await target.restart('SIGKILL')
  const { code, stdout, stderr } = await ended
  t.equal(code, 3, stderr)
  t.match(stderr, /^the target has not answered since .*; the exploration waits$/m)
  t.match(stdout, /^[^\n]*seed gone:[^\n]* 0 findings, /m)
  t.match(stdout, /^The target .*answered again as a different participant \("sandbox::1220/m)
  t.match(await readFile(join(folder, 'explore-gone', 'report.html'), 'utf8'), /<h1>No findings<\/h1>/)
})
