/**
 * Each permitted variant passes: `node dist/test/endurance/variants.js [NAME...]`. `--together` combines variants;
 * `--apart` adds single ones for rows that did not apply.
 */

import { findOverrides } from '../../lab/find-overrides.js'
import { variants } from '../../lab/variants/catalogue.js'
import { startSimulator } from '../../simulator/simulator.js'
import { variantGroups } from '../lab/variant-groups.js'
import { idsNeeding, judgedBy, unpassedRows } from '../support/records/judged-by.js'
import { inWords } from '../support/words/in-words.js'

/** Variants of one participant. */
interface Group {
  name: string
  names: readonly string[]
}

const given = process.argv.slice(2)
const names = given.filter((one) => !one.startsWith('--'))
const isWanted = ({ name }: Group): boolean => names.length === 0 || names.includes(name)
const alone = (name: string): Group => ({ name, names: [name] })
const plain: Group = { name: 'plain', names: [] }
/** Milliseconds. Longer than the delay of any effect, such as that of `executions-shown-later`. */
const lateDelay = 500
const secret = 'a secret of thirty-two bytes and more'

interface Setting {
  name: string
  authorization: string
  synchronizers?: number
  only?: string
  ids?: ReadonlySet<string>
}

/** Authorization and several synchronizers have rows of their own. */
const settings: readonly Setting[] = [
  { name: 'open', authorization: 'none' },
  { name: 'with authorization', authorization: `hs256:${secret}`, only: 'AUTH-*' },
  { name: 'two synchronizers', authorization: 'none', synchronizers: 2, ids: idsNeeding('several-synchronizers') },
]
let participants = 0
let bad = 0

/** Returns the ids of rows that did not apply. */
async function judge({ name, names: chosen }: Group, setting: Setting, ids = setting.ids): Promise<string[]> {
  const { authorization, synchronizers = 1, only } = setting
  const overrides = findOverrides({ variants: chosen })
  const simulator = await startSimulator({ overrides, behaviour: 'interface', authorization, synchronizers })
  const narrowed = { ...(only !== undefined && { only }), ...(ids && { ids }) }
  const rows = await judgedBy(simulator.url, { profile: 'interface', authorization, lateDelay, ...narrowed })
  const against = unpassedRows(rows)
  const having = (verdict: string): string[] => rows.flatMap((row) => (row.verdict === verdict ? [row.id] : []))
  const judged = `${having('pass').length} pass, ${having('not-applicable').length} do not apply`
  console.log(`${name}, ${setting.name}: ${judged}, ${against.length} failed`)
  for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${inWords(reason).slice(0, 300)}`)
  await simulator.close()
  participants += 1
  bad += against.length
  return having('not-applicable')
}

const unjudged = new Map<string, Set<string>>()

/** Rows that apply to no participant. */
async function neverJudged(setting: Setting): Promise<Set<string>> {
  const known = unjudged.get(setting.name) ?? new Set(await judge(plain, setting))
  unjudged.set(setting.name, known)
  return known
}

/** A group, then each variant with the unjudged rows. */
async function apart(group: Group): Promise<void> {
  for (const setting of settings) {
    const never = await neverJudged(setting)
    const hidden = await judge(group, setting)
    const ids = new Set(hidden.filter((id) => !never.has(id)))
    if (ids.size > 0) for (const name of group.names) await judge(alone(name), setting, ids)
  }
}

const groups = Object.entries(variantGroups)
  .map(([name, several]): Group => ({ name, names: several.map((one) => one.name) }))
  .filter(isWanted)
if (given.includes('--apart')) {
  for (const group of groups) await apart(group)
} else {
  const single = [plain, ...variants.map(({ name }) => alone(name))].filter(isWanted)
  for (const group of given.includes('--together') ? groups : single)
    for (const setting of settings) await judge(group, setting)
}
console.log(`${participants} runs, ${bad} verdicts against variants`)
process.exitCode = bad > 0 ? 1 : 0
