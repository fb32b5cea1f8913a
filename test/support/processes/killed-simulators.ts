/** Simulators that keep their state in a file, killed at random moments and started again. */
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { objectIn } from '../ledgers/simulator-environment.js'
import { connect, type Wire } from '../servers/wire.js'
import { type RunningSimulator, simulate, startConform } from './conform-process.js'

export interface KilledSimulators {
  kills: number
  /** Of them, while it started. */
  inStart: number
  /** Parties that were answered, and had to be there after the next start, as two saves had completed since. */
  certain: number
  /** Parties that were answered shortly before a kill, and were not saved yet: --save does not promise them. */
  unsaved: number
  /** A sentence for each broken promise. */
  broken: string[]
}

interface Life {
  /** Names of parties that were answered, and how many times the file was seen to be replaced before. */
  answered: Map<string, number>
  /** How often the file was seen to be replaced. */
  replaced: number
}

/**
 * `draw` draws whole numbers below a limit. The kills of one file follow each other. `leastSaves`: a simulator is not killed before so
 * many saves were seen.
 */
export async function killSimulators(
  file: string,
  kills: number,
  draw: (below: number) => number,
  leastSaves = 0,
): Promise<KilledSimulators> {
  const found: KilledSimulators = { kills: 0, inStart: 0, certain: 0, unsaved: 0, broken: [] }
  const known = new Set<string>()
  for (let index = 0; index < kills; index += 1) {
    if (draw(5) === 0) {
      const starting = startConform('simulate', '--port', '0', '--data', file, '--save')
      await delay(draw(800))
      starting.kill('SIGKILL')
      await starting.ended
      found.inStart += 1
    } else {
      const life = await liveAndDie(file, `k${index}`, { after: draw(1500), leastSaves }, known, found).catch(
        (error: unknown) => {
          found.broken.push(`start ${index}: ${error instanceof Error ? error.message : String(error)}`)
        },
      )
      if (life) remember(life, known, found)
    }
    found.kills += 1
  }
  const last = await simulate('--data', file, '--save')
  await expectKnown(last, known, found)
  const code = await last.stop()
  if (code !== 0) found.broken.push(`the last end: exit ${code}, ${last.complained()}`)
  return found
}

/** Allocates parties until it is killed, so many milliseconds after its start at the earliest. */
async function liveAndDie(
  file: string,
  prefix: string,
  { after, leastSaves }: { after: number; leastSaves: number },
  known: ReadonlySet<string>,
  found: KilledSimulators,
): Promise<Life> {
  const simulator = await simulate('--data', file, '--save')
  await expectKnown(simulator, known, found)
  const wire = connect(simulator.url, 1)
  const life: Life = { answered: new Map(), replaced: 0 }
  const look = lookAt(file, life)
  await look()
  let isTime = false
  const waiting = delay(after).then(() => {
    isTime = true
  })
  try {
    for (let count = 0; ; count += 1) {
      const { status } = await wire.post('/v2/parties', { partyIdHint: `${prefix}-${count}` })
      await look()
      if (status === 200) life.answered.set(`${prefix}-${count}`, life.replaced)
      if (isTime && life.replaced >= leastSaves) simulator.signal('SIGKILL')
    }
  } catch {
    // It was killed.
  }
  await waiting
  await simulator.stop()
  await look()
  await wire.close().catch(() => undefined)
  return life
}

/** Counts replacements of the file; several between two looks count as one. */
function lookAt(file: string, life: Life): () => Promise<void> {
  let before: string | undefined
  return async () => {
    const { ino, mtimeMs } = await stat(file)
    const now = `${ino} ${mtimeMs}`
    if (before !== undefined && before !== now) life.replaced += 1
    before = now
  }
}

/** A save that completed after another one had begun and completed behind the answer has what was answered. */
function remember({ answered, replaced }: Life, known: Set<string>, found: KilledSimulators): void {
  for (const [name, seen] of answered) {
    if (replaced - seen >= 2) {
      known.add(name)
      found.certain += 1
    } else found.unsaved += 1
  }
}

async function expectKnown(
  simulator: RunningSimulator,
  known: ReadonlySet<string>,
  found: KilledSimulators,
): Promise<void> {
  const wire = connect(simulator.url, 1)
  const there = await partiesOf(wire)
  await wire.close()
  const lost = [...known].filter((name) => !there.has(name))
  if (lost.length > 0)
    found.broken.push(`${lost.length} of ${known.size} parties are lost, such as ${lost[0]}; ${there.size} are there`)
}

async function partiesOf(wire: Wire): Promise<Set<string>> {
  const names = new Set<string>()
  for (let token = ''; ; ) {
    const path = `/v2/parties${token === '' ? '' : `?pageToken=${token}`}`
    const page = objectIn(await wire.send({ method: 'GET', path }))
    for (const one of Array.isArray(page['partyDetails']) ? page['partyDetails'] : [])
      names.add(String(Object(one)['party']).split('::')[0] ?? '')
    token = String(page['nextPageToken'] ?? '')
    if (token === '') return names
  }
}
