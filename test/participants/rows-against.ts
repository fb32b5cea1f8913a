/** The suite against a participant that lies: rows that can meet the lie, and what became of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformanceModel } from '../../cli/conformance-model.js'
import { permissionNames } from '../../record/effects.js'
import type { RunRow } from '../../record/record.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { rulesOfRow } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { run } from '../../runner/run.js'
import { readTarget } from '../plain-target.js'
import { narrowed } from './judged-by.js'
import { type Lie, lyingParticipant, type Scope } from './stage.js'

const secret = 'a secret of thirty-two bytes and more'

export interface Against {
  rows: RunRow[]
  /** Transactions that the run had committed, as it planned them. */
  milliseconds: number
}

const suite = await loadSuite(fileURLToPath(new URL('../../../suites/', import.meta.url)))

const profileNamed = (name: string) => {
  const profile = suite.profiles.get(name)
  if (!profile) throw new Error(`the suite has no profile ${name}`)
  return profile
}

const resolved = resolveSuite(suite, profileNamed('canton-3.5')).rows

/** Rows that cite one of the rules. */
export function citing(rules: readonly string[]): (id: string) => boolean {
  const found = new Set(
    resolved.filter((row) => rulesOfRow(row).some((rule) => rules.includes(rule))).map(({ id }) => id),
  )
  return (id) => found.has(id)
}

/** Runs the rows against a participant that tells the lie. */
export async function rowsAgainst(
  t: Scope,
  lie: Lie,
  isWanted: (id: string) => boolean,
  profile = 'canton-3.5',
): Promise<Against> {
  const authorization = lie.authorization ? `hs256:${secret}` : 'none'
  const { url } = await lyingParticipant(t, lie, lie.authorization ? { authorization } : {})
  const folder = await mkdtemp(join(tmpdir(), 'lie-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const rows: RunRow[] = []
  const options = {
    suite: narrowed(suite, isWanted),
    profile: profileNamed(profile),
    target: readTarget(url, authorization),
    embedded: false,
    recordFile: join(folder, 'run.ndjson'),
    tool: { name: 'lies', version: '0' },
    model: conformanceModel,
    allow: new Set(permissionNames),
    concurrency: 8,
    timeLimit: 30_000,
    seed: 'lies',
  }
  const begin = performance.now()
  await run(options, { planned: () => undefined, row: (row) => void rows.push(row) })
  return { rows, milliseconds: performance.now() - begin }
}
