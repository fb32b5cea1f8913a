/** The journal of changes, without a participant. */
import { appendFile, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { forgetSecrets, registerSecret } from '../../../lib/redaction/redaction.js'
import { ChangeJournal, JournalError, leftJournals } from '../../../runner/changes/journal.js'

const journalName = 'changes.ndjson'
const header = { run: 'abcd', url: 'http://target', participantId: 'participant', at: '2026-01-01T00:00:00Z' }
const vetted = { packageId: 'a', packageName: 'name-a', packageVersion: '1.0.0', from: undefined, until: undefined }
const found = { watched: ['a', 'b'], vetting: { one: [vetted] } }

t.test('writes the journal before a change, and removes it after the restore', async (t) => {
  const folder = join(t.testdir(), 'run')
  const journal = await ChangeJournal.create(folder, header)
  await journal.recordChange('ROW/a')
  const lines = (await readFile(join(folder, journalName), 'utf8')).trim().split('\n')
  t.match(
    lines.map((line) => JSON.parse(line)),
    [
      { type: 'run', run: 'abcd' },
      { type: 'changing', row: 'ROW/a' },
    ],
  )
  await journal.recordChange('ROW/b')
  await journal.recordRestore('ROW/a')
  t.match(await leftJournals(join(folder, '..')), [{ rows: ['ROW/b'] }])
  await journal.close(true)
  t.strictSame(await readdir(folder), [])
  const removed = await ChangeJournal.create(folder, header)
  await rm(join(folder, journalName))
  await removed.close(true)
})

t.test('rejects changes without a writable journal', async (t) => {
  const file = join(t.testdir({ file: '' }), 'file')
  await t.rejects(ChangeJournal.create(file, header), JournalError)
  const journal = await ChangeJournal.create(t.testdir(), header)
  await journal.close(false)
  await t.rejects(journal.recordChange('ROW/a'), {
    name: 'JournalError',
    message: /The run changes nothing without this journal\.$/,
  })
  const full = t.testdir()
  await symlink('/dev/full', join(full, journalName))
  await t.rejects(ChangeJournal.create(full, header), { name: 'JournalError', message: /cannot be written .*ENOSPC/ })
})

t.test('a journal that hides a name changes nothing', async (t) => {
  const id = `participant::1220${'ab'.repeat(32)}`
  for (const [value, name] of [
    ['service-user-7', 'x-user'],
    ['http://target', 'x-origin'],
    [id, 'x-participant'],
  ] as const)
    registerSecret(value, `header ${name}`)
  t.teardown(forgetSecrets)
  const folder = t.testdir()
  await t.rejects(ChangeJournal.create(folder, header), {
    name: 'JournalError',
    message: /must name .* the secret value of header x-origin\. The run changes nothing/,
  })
  const journal = await ChangeJournal.create(join(folder, 'run'), { ...header, url: 'http://other', participantId: id })
  const given = { user: 'service-user-7', isMade: false, rights: [] }
  await t.rejects(journal.recordGrant(given), { name: 'JournalError', message: /the secret value of header x-user\./ })
  await journal.recordGrant({ ...given, user: 'another' })
  t.match(
    await leftJournals(folder),
    [{ participantId: id, given: [{ user: 'another' }] }],
    'an identifier is no secret',
  )
  await journal.close(true)
})

t.test('finds journals of killed runs, also with a truncated last line', async (t) => {
  const results = t.testdir({ empty: {}, cut: { [journalName]: '{"type":"fou' }, file: '' })
  const journal = await ChangeJournal.create(join(results, 'killed'), header)
  await journal.recordVetting(found)
  await journal.recordChange('ROW/a')
  await journal.recordChange('ROW/b')
  await journal.recordRestore('ROW/b')
  await journal.close(false)
  await appendFile(join(results, 'killed', journalName), '{"type":"restored","row":"ROW/')
  t.match(await leftJournals(results), [{ run: 'abcd', rows: ['ROW/a'], vetting: found.vetting }])
  t.strictSame(await leftJournals(join(results, 'nowhere')), [])
})

t.test('ignores malformed journals', async (t) => {
  const results = t.testdir({ run: {} })
  const lines = (...all: unknown[]): string => all.map((one) => JSON.stringify(one)).join('\n')
  const first = { type: 'run', ...header }
  for (const one of [
    '7\nnull\n"x"\n[]',
    lines({ type: 'run' }),
    lines({ ...first, at: 7 }),
    lines(first, { type: 'found', watched: [], vetting: { a: 'b' } }),
    lines(first, { type: 'found', vetting: {} }),
  ]) {
    await writeFile(join(results, 'run', journalName), one)
    t.strictSame(await leftJournals(results), [], one)
  }
  await writeFile(join(results, 'run', journalName), lines(first, { type: 'found', ...found }))
  t.equal((await leftJournals(results)).length, 1)
})
