import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { objectIn } from '../ledgers/simulator-environment.js'
import { connect, type Wire } from '../servers/wire.js'
import { type RunningSimulator, simulate, startConform } from './conform-process.js'

export interface KilledSimulators {
  kills: number
  /** During the start. */
  inStart: number
  /** Parties that must exist after the next start: two saves followed their answer. */
  certain: number
  /** Parties that were answered shortly before a kill, which `--save` does not guarantee. */
  unsaved: number
  /** Unmet guarantees. */
  broken: string[]
}

interface Life {
  /** Answered parties, each with the number of file replacements before its answer. */
  answered: Map<string, number>
  replaced: number
}

/** `draw` returns an integer below a limit. `leastSaves`: number of saves before a kill. */
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
      const life = await allocateUntilKilled(file, `k${index}`, { after: draw(1500), leastSaves }, known, found).catch(
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
  if (code !== 0) found.broken.push(`the last simulator exited with ${code}, ${last.errorOutput()}`)
  return found
}

/** `after`: minimum milliseconds after the start. */
async function allocateUntilKilled(
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
  const checkFile = fileChecker(file, life)
  await checkFile()
  let isTime = false
  const waiting = delay(after).then(() => {
    isTime = true
  })
  try {
    for (let count = 0; ; count += 1) {
      const { status } = await wire.post('/v2/parties', { partyIdHint: `${prefix}-${count}` })
      await checkFile()
      if (status === 200) life.answered.set(`${prefix}-${count}`, life.replaced)
      if (isTime && life.replaced >= leastSaves) simulator.signal('SIGKILL')
    }
  } catch {
    // The signal ended the connection.
  }
  await waiting
  await simulator.stop()
  await checkFile()
  await wire.close().catch(() => undefined)
  return life
}

/** Several replacements between two checks count as one. */
function fileChecker(file: string, life: Life): () => Promise<void> {
  let before: string | undefined
  return async () => {
    const { ino, mtimeMs } = await stat(file)
    const now = `${ino} ${mtimeMs}`
    if (before !== undefined && before !== now) life.replaced += 1
    before = now
  }
}

/** The second save after an answer contains it. */
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
  const existing = await partiesOf(wire)
  await wire.close()
  const lost = [...known].filter((name) => !existing.has(name))
  if (lost.length > 0)
    found.broken.push(`${lost.length} of ${known.size} parties are lost, such as ${lost[0]}; ${existing.size} exist`)
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
