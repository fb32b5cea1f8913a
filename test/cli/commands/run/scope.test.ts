/** Runs and certificates with a scope: every output states it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { certificateName } from '../../../../certificate/bundle.js'
import { certifyCommand } from '../../../../cli/commands/certify-command.js'
import { verifyCommand } from '../../../../cli/commands/verify-command.js'
import { readRun } from '../../../../cli/output/read-run.js'
import type { Flags } from '../../../../cli/target/settings.js'
import { operations } from '../../../../interface/operations.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { certifyAnew, keyFiles, rewriteRecord } from '../../../support/bundles/certified-bundle.js'
import { type CalledCommand, call, callRun } from '../../../support/processes/called-command.js'
import { recordingGateway } from '../../../support/servers/gateways.js'
import { writeSubmissionSuite } from '../../../support/suites/submission-suite.js'

const folder = t.testdir({ suite: {} })
const suite = await writeSubmissionSuite(join(folder, 'suite'))
const signer = await keyFiles(folder, 'signer')
const simulator = await startSimulator()
t.teardown(() => simulator.close())

const certify = (out: string, more: Flags): Promise<CalledCommand> => {
  const flags = { suite, target: simulator.url, lateCheck: '0', out: join(folder, out), ...more }
  return call(() => certifyCommand({ ...flags, signer: 'A. Signer', key: signer.privatePath }, false))
}

const verify = (path: string): Promise<CalledCommand> =>
  call(() => verifyCommand(path, { suite, key: signer.publicPath }, false))

/** Rejects contract-by-id, which is outside the scope. */
const { url: withoutLookups } = await recordingGateway(
  t,
  simulator.url,
  ({ path }) => path === operations['contract-by-id'].path,
  404,
)

t.test('console, badge, summary, statement and verification state the scope first', async (t) => {
  const scope = { target: withoutLookups, operations: ['submit-and-wait'] }
  const { code, stdout, stderr } = await certify('scoped', scope)
  t.equal(code, 0, stdout + stderr)
  const first = /^PASS \(submit-and-wait\): 3 of 5 rows passed/m
  t.match(stdout, first)
  const bundle = join(folder, 'scoped', 'latest')
  const text = (name: string): Promise<string> => readFile(join(bundle, name), 'utf8')
  t.match(await text('badge.svg'), 'PASS (submit-and-wait): 3 of 5 rows passed')
  t.match(await text('summary.md'), /^## ✓ Conformance: PASS \(submit-and-wait\): /)
  const { header, rows } = await readRun(bundle)
  t.match(header, { only: undefined, selection: { operations: ['submit-and-wait'], only: undefined } })
  t.strictSame([...new Set(rows.map(({ resolved }) => resolved.operation))], ['submit-and-wait'])
  const verified = await verify(bundle)
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
  t.match(verified.stdout, /^Scope: submit-and-wait, and no other operation\.\n/)
  t.match(verified.stdout, first)
})

t.test('a run without evidence for its scope is not signed', async (t) => {
  for (const scope of [{ operations: ['contract-by-id'] }, {}]) {
    const { code, stderr } = await certify('unsigned', { target: withoutLookups, ...scope })
    t.equal(code, 5)
    t.match(stderr, 'Not certified: the evidence is incomplete.')
    t.match(stderr, 'No request of contract-by-id was accepted with a correct response.')
    t.notOk((await readdir(join(folder, 'unsigned', 'latest'))).includes(certificateName))
  }
})

t.test('a target file states the scope, in any order; an unknown operation exits with 2', async (t) => {
  const config = join(folder, 'scope.yaml')
  await writeFile(config, 'operations: [submit-and-wait, contract-by-id, submit-and-wait]\n')
  const flags = { suite, target: simulator.url, lateCheck: '0', out: join(folder, 'both') }
  const both = await callRun(t, { ...flags, config })
  t.match(both, { code: 0, stdout: 'PASS (contract-by-id, submit-and-wait): ' })
  const selected = await callRun(t, { ...flags, operations: ['submit-and-wait'], only: ['SUB-REFUSED'] })
  t.match(selected, { code: 0, stdout: /PASS \(selection of 2 of \d+ rows\): / })
  const unknown = await callRun(t, { ...flags, operations: ['submit-and-wiat'] })
  t.equal(unknown.code, 2)
  t.match(unknown.stderr, /unknown operation "submit-and-wiat".*did you mean "submit-and-wait"\?/s)
  const none = await callRun(t, { ...flags, operations: ['execute'] })
  t.match(none, { code: 2, stderr: 'the suite has no rows of execute' })
})

t.test('different scopes of records are named', async (t) => {
  const bundle = join(folder, 'wider', 'latest')
  const { code, stderr } = await certify('wider', { operations: ['submit-and-wait'] })
  t.equal(code, 0, stderr)
  await rewriteRecord(bundle, ({ header: { selection: _, ...header }, ...record }) => ({ ...record, header }))
  await certifyAnew(bundle, signer.privatePath)
  const whole = await verify(bundle)
  t.equal(whole.code, 1)
  t.match(whole.stdout, /^x header\.plan\[\d+\] is recorded as .* follows from the suite and the exchanges/m)
  const also = await certify('mixed', { also: [join(folder, 'scoped')] })
  t.equal(also.code, 2)
  t.match(also.stderr, 'differ in their operations: submit-and-wait and all; leave one of them out')
})
