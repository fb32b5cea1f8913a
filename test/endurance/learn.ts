/**
 * What `learn` derives from runs on simulators: `node dist/test/endurance/learn.js lines|variants|faults [NAME...]`.
 * `lines` also compares the answers with the recorded ones. `variants` runs all rows; `--sample` the first row of each
 * case. `faults` runs the rows of the broken rule; `--all` all rows.
 */

import { findOverrides } from '../../lab/find-overrides.js'
import { mutants } from '../../lab/mutants/catalogue.js'
import type { Mutant } from '../../lab/mutants/mutant.js'
import { sampleOf } from '../../lab/sample.js'
import { variants } from '../../lab/variants/catalogue.js'
import { learn } from '../../learn/learn.js'
import { observedRun } from '../../learn/observed-run.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import type { SimulatorOptions } from '../../simulator/simulator.js'
import { recordedRun } from '../support/records/recorded-run.js'
import { compareLine, type Line } from '../support/replay/compare-line.js'
import { profileNamed, wholeSuite } from '../support/suites/whole-suite.js'

const [what = 'lines', ...given] = process.argv.slice(2)
const names = given.filter((one) => !one.startsWith('--'))
const isWanted = ({ name }: { name: string }): boolean => names.length === 0 || names.includes(name)
let bad = 0

interface Question {
  base: string
  only?: readonly string[]
  byRow?: boolean
}

async function learned(options: SimulatorOptions, { base, only, byRow = false }: Question) {
  const record = await recordedRun(options, { profile: base, ...(only && { only }) })
  return learn([observedRun(record)], wholeSuite, profileNamed(base), { name: 'learned', byRow })
}

function report(name: string, isRight: boolean, facts: string): void {
  if (!isRight) bad += 1
  console.log(`${isRight ? 'ok ' : 'BAD'} ${name}: ${facts}`)
}

type Found = Awaited<ReturnType<typeof learned>>

const summary = ({ profile, inconsistent, proposed }: Found): string =>
  [
    `situations ${[...profile.situations, ...profile.byRow].map(({ situation }) => situation).join(' ') || 'none'}`,
    `formats ${Object.keys(profile.formats).join(' ') || 'none'}`,
    ...(profile.accepted ? [`accepted ${JSON.stringify(profile.accepted)}`] : []),
    ...inconsistent.map(({ situation }) => `inconsistent ${situation}`),
    ...proposed.map(({ rule, rows }) => `proposed ${rule} (${rows.length} rows)`),
  ].join('; ')

const learnsNothing = ({ profile, inconsistent }: Found): boolean =>
  profile.situations.length + profile.byRow.length + Object.keys(profile.formats).length + inconsistent.length === 0 &&
  !profile.accepted

async function judgeFault(mutant: Mutant): Promise<void> {
  const base = mutant.where?.behaviour ?? 'canton-3.5'
  const only = given.includes('--all') ? undefined : [mutant.rule]
  const options = { behaviour: base, overrides: findOverrides({ mutant: mutant.name }) }
  const found = await learned(options, { base, ...(only && { only }) })
  report(mutant.name, learnsNothing(found) && found.proposed.length === 1, `${mutant.rule}; ${summary(found)}`)
}

/** Faults that violate the text, whatever the facts of a profile. */
const violatesText = ({ name, where = {} }: Mutant): boolean =>
  Object.keys(where).every((key) => key === 'behaviour') && /-by-the-text$|-of-another-type$/.test(name)

if (what === 'lines') {
  for (const line of ['3.4', '3.5', '3.6'] satisfies Line[]) {
    const { compared, same, differing } = await compareLine(line)
    const share = ((100 * same) / compared).toFixed(2)
    report(`canton-${line}`, same / compared >= (line === '3.5' ? 0.995 : 0.99), `${same} of ${compared} (${share} %)`)
    for (const one of differing) console.log(`    ${one}`)
  }
}
if (what === 'variants') {
  const { rows } = resolveSuite(wholeSuite, profileNamed('canton-3.5'))
  const firsts = new Map(rows.toReversed().map((row) => [row.case, row.id]))
  const only = given.includes('--sample') ? [...firsts.values()] : undefined
  for (const { name } of variants.filter(isWanted)) {
    const overrides = findOverrides({ variants: [name] })
    const found = await learned({ overrides }, { base: 'canton-3.5', ...(only && { only }), byRow: true })
    report(name, found.inconsistent.length + found.proposed.length === 0, summary(found))
  }
}
if (what === 'faults') {
  const chosen = names.length > 0 ? mutants.filter(isWanted) : sampleOf(mutants.filter(violatesText), 40)
  for (const mutant of chosen) await judgeFault(mutant)
}
process.exitCode = bad > 0 ? 1 : 0
