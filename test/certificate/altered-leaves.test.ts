/** Each member of a record is derived, stated by the settings, or a free statement that docs/trust.md lists. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { recordOf } from '../../cli/output/read-run.js'
import { readRecord } from '../../record/file/read-record.js'
import { deriveRun } from '../../runner/derive/derive-run.js'
import { statedMembers, statedTarget } from '../../runner/run/run-header.js'
import { alterLeaves } from '../support/bundles/altered-leaves.js'
import { findingsAfter, keyFiles, verifyOptions } from '../support/bundles/certified-bundle.js'
import { certifySubmissions } from '../support/bundles/certified-submissions.js'
import { derivedFrom } from '../support/records/derived-from.js'
import { drawFrom } from '../support/servers/hostile-answers.js'
import { writeSubmissionSuite } from '../support/suites/submission-suite.js'

const folder = t.testdir({ suite: {} })
const signer = await keyFiles(folder, 'signer')
const suite = await writeSubmissionSuite(join(folder, 'suite'))
const bundle = await certifySubmissions(folder, suite, signer.privatePath)
const options = verifyOptions(suite, signer.publicKey)

// test/endurance/altered-leaves.ts alters hundreds of leaves.
t.test('each altered leaf of a record that is signed again is named or listed', async (t) => {
  const { named, missed } = await alterLeaves(bundle, await recordOf(bundle), 25, drawFrom('usual'), await options)
  t.strictSame(missed, [])
  t.ok(named >= 10, `${named} named`)
})

interface Schema {
  properties: Record<string, Schema>
}

/** Combined records have them, and no certified one. */
const inMemory = ['judgedAgain', 'merged', 'resumes']
/** Present if the run has a reason for them. */
const ifNeeded = ['wants', 'refusals', 'only', 'controls']

t.test('each member of the header in the schema is derived or a stated setting', async (t) => {
  const schema: { definitions: { header: Schema } } = JSON.parse(
    await readFile('record/run-record.schema.json', 'utf8'),
  )
  const record = await readRecord(await recordOf(bundle))
  const derived = await deriveRun(record, await derivedFrom(suite, record))
  const without = await deriveRun(
    { ...record, header: { ...record.header, ...unstated } },
    await derivedFrom(suite, record),
  )
  t.strictSame(without?.header, derived?.header, 'a derived member does not follow from the recorded one')
  const known = new Set<string>([...statedMembers, ...Object.keys(derived?.header ?? {}), ...inMemory, ...ifNeeded])
  const { properties } = schema.definitions.header
  t.strictSame(
    Object.keys(properties).filter((name) => !known.has(name)),
    [],
  )
  const ofTarget = new Set<string>([...statedTarget, ...Object.keys(derived?.header.target ?? {})])
  t.strictSame(
    Object.keys(properties['target']?.properties ?? {}).filter((name) => !ofTarget.has(name)),
    [],
  )
})

const unstated = { capabilities: {}, plan: [], rules: [], callers: [], variables: {}, controls: [], support: [] }

t.test('members outside the schema are alterations', async (t) => {
  const named = async (change: object, what: RegExp): Promise<void> => {
    const findings = await findingsAfter(
      bundle,
      { change: (record) => ({ ...record, header: { ...record.header, ...change } }) },
      await options,
    )
    t.ok(
      findings.some((one) => one.kind === 'altered' && what.test(one.what)),
      String(what),
    )
  }
  await named({ reviewed: true }, /^header has members outside the schema: must NOT have additional properties$/)
  await named({ tool: { name: 'a', version: '1', by: 'b' } }, /^header\/tool has members outside the schema: /)
  await named(
    { concurrency: 3, allowed: ['read'] },
    /^rows\[\S+\]\.verdict is recorded as "pass", but "not-applicable"/,
  )
})
