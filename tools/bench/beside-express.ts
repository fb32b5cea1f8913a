/** Compares the simulator with an Express route that sends an equal body. */
import { operations, supportOperations } from '../../interface/operations.js'
import { makeSigningKey } from '../../runner/sign/signing-key.js'
import { createPing, execution, externally } from '../../test/support/ledgers/external-environment.js'
import { connect } from '../../test/support/servers/wire.js'
import { type BenchRequest, median, type Rate, rateOf } from './load.js'
import { fill } from './many-contracts.js'
import { createFixture, exercise, getText, lookUp, memberOf, postJson, submission, submit } from './sample-requests.js'
import { type ServerProcess, startBareExpress, startSimulator } from './server-process.js'

const atOnce = 16

type Operation = 'execute' | 'execute-and-wait-for-transaction'

async function preparedExecutions(url: string, operation: Operation, count: number): Promise<() => BenchRequest> {
  const wire = connect(url, atOnce)
  const synchronizer = memberOf(await getText(url, '/v2/state/connected-synchronizers'), 'synchronizerId')
  const environment = externally({ wire, synchronizer })
  const signer = await environment.onboard(`signer-of-${operation}`, [makeSigningKey('ed25519')])
  const bodies: string[] = []
  const work = async (): Promise<void> => {
    while (bodies.length < count) {
      const commandId = `${operation}-${bodies.length}`
      const place = bodies.push('') - 1
      const prepared = await environment.prepare(signer.party, createPing(signer), { commandId })
      bodies[place] = JSON.stringify(execution(prepared, [signer], { submissionId: commandId }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await wire.close()
  const { path } = operations[operation]
  return () => {
    const body = bodies.pop()
    if (body === undefined) throw new Error(`all ${count} prepared transactions are used`)
    return { path, body, status: 200 }
  }
}

/** Both servers are measured in turns; the result is the median. */
const rounds = 3

export interface Compared {
  what: string
  simulator: Rate
  express: Rate
}

interface Measured {
  what: string
  path: string
  count: number
  atOnce: number
  next(): BenchRequest
}

export async function besideExpress(): Promise<Compared[]> {
  const simulator = await startSimulator()
  const fixture = await createFixture(simulator.url)
  let commands = 0
  const ids = await fill(simulator.url, fixture, 0, needed(choices))
  const choose = (): BenchRequest => exercise({ ...fixture, contractId: ids.pop() ?? '' }, `choice-${commands++}`)
  const fresh = (): BenchRequest => submit(fixture, `beside-${commands++}`)
  const vetting = { changes: [], updateVettedPackagesForceFlags: [] }
  const toVet = { path: operations['update-package-vetting'].path, body: JSON.stringify(vetting), status: 200 }
  const toPrepare = (): BenchRequest => ({
    path: supportOperations.prepare.path,
    body: JSON.stringify({ ...submission(fixture.party, `prepared-${commands++}`), synchronizerId: '', ...preparing }),
    status: 200,
  })
  const execute = await preparedExecutions(simulator.url, 'execute', needed(executions))
  const wait = await preparedExecutions(simulator.url, 'execute-and-wait-for-transaction', needed(executions))
  const measured: Measured[] = [
    { what: 'contract-by-id', next: () => lookUp(fixture), ...many },
    { what: 'update-package-vetting, which changes nothing', next: () => toVet, ...many },
    { what: 'prepare', next: toPrepare, ...many, count: 2_000 },
    { what: 'submit-and-wait, a create, one by one', next: fresh, count: 2_000, atOnce: 1 },
    { what: 'submit-and-wait, a create, 64 at once', next: fresh, count: 4_000, atOnce: 64 },
    { what: 'submit-and-wait, a choice, 16 at once', next: choose, ...many, count: choices },
    { what: 'execute, 16 at once', next: execute, ...many, count: executions },
    { what: 'execute-and-wait-for-transaction, 16 at once', next: wait, ...many, count: executions },
  ].map((one) => ({ ...one, path: one.next().path }))
  const all: Compared[] = []
  for (const one of measured) all.push(await compared(one, simulator))
  await simulator.stop()
  return all
}

const choices = 2_000
const executions = 500
const needed = (count: number): number => (rounds + 1) * 2 * count + 500
const many = { count: 8_000, atOnce: 16 }
const preparing = { packageIdSelectionPreference: [] }

async function compared(one: Measured, simulator: ServerProcess): Promise<Compared> {
  const { what, path, next } = one
  const answer = await postJson(simulator.url, path, JSON.parse(next().body))
  const express = await startBareExpress({ [path]: answer })
  const rates: { simulator: Rate; express: Rate }[] = []
  // Round 0 is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    rates.push({ express: await rateOf(express, one), simulator: await rateOf(simulator, one) })
  }
  await express.stop()
  const [, ...warm] = rates
  return {
    what,
    simulator: middle(warm.map((each) => each.simulator)),
    express: middle(warm.map((each) => each.express)),
  }
}

const middle = (rates: readonly Rate[]): Rate => ({
  rate: median(rates.map(({ rate }) => rate)),
  processor: median(rates.map(({ processor }) => processor)),
})
