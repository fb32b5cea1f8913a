/** Alterations by the signer, with the finding of `verify`. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BundleFinding } from '../../../certificate/finding.js'
import { type VerifyOptions, verifyBundle } from '../../../certificate/verify/verify-bundle.js'
import type { RecordedSettings, RunRecord, RunRow } from '../../../record/types/record.js'
import { type AlteredRecord, certifyAnew, findingsAfter, type Recertified } from './certified-bundle.js'

export interface Alteration extends Recertified, AlteredRecord {
  what: string
  /** Text of the finding. */
  named: RegExp
}

/** After the signer made the alteration and signed again: undefined if a finding of `verify` names it, otherwise all. */
export async function otherFindings(
  bundle: string,
  alteration: Alteration,
  options: VerifyOptions,
  privatePath: string,
): Promise<BundleFinding[] | undefined> {
  const findings = alteration.alter
    ? await afterFileChange(bundle, alteration, options, privatePath)
    : await findingsAfter(bundle, alteration, options)
  const isNamed = findings.some(
    ({ kind, what }) => (kind === 'altered' || kind === 'unproven') && alteration.named.test(what),
  )
  return isNamed ? undefined : findings
}

async function afterFileChange(
  bundle: string,
  recertified: Recertified,
  options: VerifyOptions,
  privatePath: string,
): Promise<BundleFinding[]> {
  const path = join(bundle, '..', 'altered')
  await rm(path, { recursive: true, force: true })
  await cp(bundle, path, { recursive: true, dereference: true })
  await certifyAnew(path, privatePath, { digest: options.toolDigest, ...recertified })
  return (await verifyBundle(path, options)).findings
}

export const header = (record: RunRecord, change: Partial<RunRecord['header']>): RunRecord => ({
  ...record,
  header: { ...record.header, ...change },
})

const settings = (record: RunRecord, change: Partial<RecordedSettings>): RunRecord =>
  header(record, {
    settings: { callers: [], administrator: 'participant_admin', ...record.header.settings, ...change },
  })

const later = (time: string): string => new Date(Date.parse(time) + 365 * 86_400_000).toISOString()

const unexamined = (record: RunRecord): Set<string> => new Set(record.footer?.unexamined)

export const eachRow = (record: RunRecord, change: (row: RunRow) => RunRow): RunRecord => ({
  ...record,
  rows: record.rows.map(change),
})

const asLastReads = (record: RunRecord, change: (sent: string) => string): RunRecord => ({
  ...record,
  ...(record.oracles && {
    oracles: {
      ...record.oracles,
      reads: record.oracles.reads.map(({ operation, evidence }) => {
        const text = change(evidence.request.body?.text ?? '')
        const body = { text, bytes: Buffer.byteLength(text) }
        return { operation, evidence: text === '' ? evidence : { ...evidence, request: { ...evidence.request, body } } }
      }),
    },
  }),
})

export const headerAlterations: readonly Alteration[] = [
  {
    what: 'last reads with fewer members',
    change: (record) => asLastReads(record, (sent) => sent.replace('"verbose":true', '"verbose":false')),
    named: /^oracles\.reads\[\d+\]\.request\.body is recorded as .*beginExclusive/,
  },
  {
    what: 'last reads with another member that contains a mark of redaction',
    change: (record) => asLastReads(record, (sent) => sent.replace('"verbose":true', '"verbose":"[redacted: x]"')),
    named: /^oracles\.reads\[\d+\]\.request\.body is recorded as .*beginExclusive/,
  },
  {
    what: 'last reads of another party',
    change: (record) =>
      asLastReads(record, (sent) => sent.replace('"filtersByParty":{"alice', '"filtersByParty":{"alicia')),
    named: /^oracles\.reads\[\d+\]\.request\.body is recorded as .*beginExclusive/,
  },
  {
    what: 'another target in the header',
    change: (record) => header(record, { target: { ...record.header.target, url: 'https://bank.example' } }),
    named: /^the header states the target https:\/\/bank\.example, but \d+ exchanges used other URLs/,
  },
  {
    what: 'the run a year later',
    change: (record) => ({
      ...header(record, { startedAt: later(record.header.startedAt) }),
      ...(record.footer && { footer: { ...record.footer, endedAt: later(record.footer.endedAt) } }),
    }),
    named: /^the run began at .*, but a row or exchange began earlier, at /,
  },
  {
    what: 'all recorded times a year later, but not the Date headers of answers',
    change: (record) => ({
      ...header(record, {
        startedAt: later(record.header.startedAt),
        ...(record.header.controls && {
          controls: record.header.controls.map((one) => ({
            ...one,
            evidence: { ...one.evidence, startedAt: later(one.evidence.startedAt) },
          })),
        }),
      }),
      rows: record.rows.map((row) => ({
        ...row,
        startedAt: later(row.startedAt),
        evidence: row.evidence.map((one) => ({ ...one, startedAt: later(one.startedAt) })),
      })),
      ...(record.footer && { footer: { ...record.footer, endedAt: later(record.footer.endedAt) } }),
    }),
    // A year, less the time that an answer takes on a busy machine.
    named: /^the Date headers of the answers differ from the recorded times by -3153\d{4} s/,
  },
  {
    what: 'rules without a judgement removed',
    change: (record) => header(record, { rules: record.header.rules.filter(({ id }) => !unexamined(record).has(id)) }),
    named: /^header\.rules\[[\w-]+\] is recorded as nothing, but /,
  },
  {
    what: 'rules without a judgement made recommendations',
    change: (record) =>
      header(record, {
        rules: record.header.rules.map((rule) =>
          unexamined(record).has(rule.id) ? { ...rule, strength: 'should' as const } : rule,
        ),
      }),
    named: /^header\.rules\[[\w-]+\]\.strength is recorded as "should", but "must" follows/,
  },
  {
    what: 'rules without a judgement made untestable',
    change: (record) =>
      header(record, {
        rules: record.header.rules.map((rule) =>
          unexamined(record).has(rule.id) ? { ...rule, untestable: 'Only the operator can see it.' } : rule,
        ),
      }),
    named: /^header\.rules\[[\w-]+\]\.untestable is recorded as "Only /,
  },
  {
    what: 'rules made facts of a profile that judges by the text alone',
    change: (record) =>
      header(record, {
        profile: { ...record.header.profile, basis: 'text' },
        rules: record.header.rules.map((rule) =>
          unexamined(record).has(rule.id) ? { ...rule, factOf: record.header.profile.name } : rule,
        ),
      }),
    named: /^header\.rules\[[\w-]+\]\.factOf is recorded as "[\w.-]+", but nothing follows/,
  },
  {
    what: 'situations and divergences removed from the profile',
    change: (record) => header(record, { profile: { ...record.header.profile, situations: [], divergences: [] } }),
    named: /^header\.profile\.situations\[0\] is recorded as nothing, but /,
  },
  {
    what: 'another title of the profile',
    change: (record) => header(record, { profile: { ...record.header.profile, title: 'The whole interface' } }),
    named: /^header\.profile\.title is recorded as "The whole interface", but /,
  },
  {
    what: 'another interface text',
    change: (record) => header(record, { text: { title: 'Another text', version: '9', digest: 'cd'.repeat(32) } }),
    named: /^header\.text\.title is recorded as "Another text", but /,
  },
  {
    what: 'another program than that of the digest',
    change: (record) => header(record, { tool: { name: 'official-suite', version: '9.9.9' } }),
    tool: { name: 'official-suite', version: '9.9.9' },
    named: /^the statement names the program official-suite 9\.9\.9, but its digest is that of \S+ \d/,
  },
  {
    what: 'no list of rules that are not tested',
    footer: ({ unexamined: _, ...rest }) => rest,
    named: /^footer\.unexamined is recorded as nothing, but \[/,
  },
  {
    what: 'rules that are not tested as one rule',
    footer: (footer) => ({ ...footer, unexamined: [footer.unexamined?.join() ?? ''] }),
    named: /^the record has a defect: The footer states unexamined as \[.*, but the rows give \[/,
  },
  {
    what: 'a run that ended early',
    footer: (footer) => ({ ...footer, ended: { cause: 'interrupted', by: 'SIGINT' } }),
    named: /^the run does not show that the participant conforms: INCOMPLETE: /,
  },
  {
    what: 'a plan of more rows than a record has lines',
    change: (record) => header(record, { plan: Array<string>(100_001).fill('A') }),
    named: /its first line is not a valid header \(\/plan must NOT have more than 100000 items\)/,
  },
  {
    what: 'an id of the run that is longer than a regular expression',
    change: (record) => header(record, { run: 'x'.repeat(2_000_000) }),
    named: /its first line is not a valid header \(\/run must NOT have more than 1000 characters\)/,
  },
  {
    what: 'a capability denied that the protocol version has',
    change: (record) => header(record, { capabilities: { ...record.header.capabilities, 'contract-keys': false } }),
    named: /^header\.capabilities\.contract-keys is recorded as false, but true follows/,
  },
  {
    what: 'a late-effects check earlier than stated',
    change: (record) => header(record, { timeLimits: { exchange: 30_000, lateCheck: 3000 } }),
    named: /^the header states late-effects checks 3 s after each row, but their median delay is /,
  },
  {
    what: 'a waiver',
    change: (record) => {
      const waiver = { rule: '*', reason: 'It is known.', owner: 'A. Signer', until: '2999-01-01' }
      return header(record, { waivers: [waiver] })
    },
    named: /^1 waiver excused failures/,
  },
  {
    what: 'many repetitions, which would hide transactions without a request',
    change: (record) => header(record, { repeat: 1e15 }),
    named: /^each row was sent 1000000000000000 times, so the run did not search transactions/,
  },
  {
    what: 'a fixture with values from the settings, which the target file omits',
    change: (record) => settings(record, { given: { other: { id: '1' } } }),
    named: /^header\.target\.file is recorded as nothing, but \{.*"given":\["other"\]/,
  },
  {
    what: 'values of the settings that are no JSON',
    change: (record) => settings(record, { claims: { 'other.id': '}' } }),
    named: /^no run follows from the exchanges of the record: not JSON: /,
  },
  {
    what: 'a target without a URL',
    change: (record) => header(record, { target: { ...record.header.target, url: '' } }),
    named: /^the header states no settings from which the run follows/,
  },
  {
    what: 'a statement issued before the run',
    issued: new Date('2020-01-01T00:00:00Z'),
    named: /^the statement was issued at 2020-01-01T00:00:00.000Z, before the run ended at /,
  },
]
