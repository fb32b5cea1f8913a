/** The list of vetted packages must show a change, if it covers the synchronizer of the change. */
import t from 'tap'
import type { Evidence, RunRow } from '../../../record/types/record.js'
import { vettingFindings } from '../../../runner/oracles/vetted-packages.js'
import { sampleEvidence, sampleRow, sampleStep } from '../../support/records/sample-row.js'

interface Exchange {
  operation: string
  sent: object
  answer: object
}

const exchanged = ({ sent, answer }: Exchange, index: number): Evidence => {
  const body = (value: object): { text: string; bytes: number } => {
    const text = JSON.stringify(value)
    return { text, bytes: text.length }
  }
  return {
    ...sampleEvidence({ request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: [], body: body(sent) } }),
    step: index,
    startedAt: new Date(index * 1000).toISOString(),
    response: { status: 200, headers: [], body: body(answer) },
  }
}

const rowOf = (exchanges: readonly Exchange[]): RunRow =>
  sampleRow(
    'VET/one',
    { evidence: exchanges.map(exchanged) },
    { steps: exchanges.map(({ operation }) => sampleStep({ operation })) },
  )

const listOf = (...synchronizerIds: string[]): Exchange => ({
  operation: 'list-vetted-packages',
  sent: { topologyStateFilter: { synchronizerIds } },
  answer: { vettedPackages: [] },
})

const changeOn = (synchronizerId: string): Exchange => ({
  operation: 'update-package-vetting',
  sent: { synchronizerId },
  answer: {
    pastVettedPackages: { synchronizerId, packages: [{ packageId: 'aa' }] },
    newVettedPackages: { packages: [] },
  },
})

const codesOf = (exchanges: readonly Exchange[]): string[] =>
  vettingFindings([rowOf(exchanges)]).map(({ reason }) => reason.code)

t.test('a list that covers the synchronizer of a change must show it', async (t) => {
  t.strictSame(codesOf([listOf('one'), changeOn('one'), listOf('one')]), ['vetting-hidden'])
  t.strictSame(codesOf([listOf(), changeOn('one'), listOf()]), ['vetting-hidden'])
})

t.test('a list of another synchronizer need not show it', async (t) => {
  t.strictSame(codesOf([listOf('two'), changeOn('one'), listOf('two')]), [])
})
