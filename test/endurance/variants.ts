/**
 * Every variant by itself, as a command: `node dist/test/endurance/variants.js [NAME...]`. With `--together` several at once, and
 * with `--apart` these first, then each by itself with the rows that did not apply to its group: the others have met it there. No row
 * of the text profile should tell anything against one of them.
 */
import { allVariants, startSimulator } from '../../simulator/simulator.js'
import { variantsAtOnce } from '../../simulator/variants/catalogue.js'
import { idsNeeding, judgedBy, unpassedRows } from '../support/records/judged-by.js'

/** What one participant does at once. */
interface Group {
  name: string
  variants: readonly string[]
}

const asked = process.argv.slice(2)
const names = asked.filter((one) => !one.startsWith('--'))
const isWanted = ({ name }: Group): boolean => names.length === 0 || names.includes(name)
const alone = (name: string): Group => ({ name, variants: [name] })
const plain: Group = { name: 'plain', variants: [] }
const secret = 'a secret of thirty-two bytes and more'

interface Setting {
  name: string
  authorization: string
  synchronizers?: number
  only?: string
  /** These rows alone. */
  ids?: ReadonlySet<string>
}

/** With authorization, and with several synchronizers, a run has only the rows that need it. */
const settings: readonly Setting[] = [
  { name: 'open', authorization: 'none' },
  { name: 'with authorization', authorization: `hs256:${secret}`, only: 'AUTH-*' },
  { name: 'two synchronizers', authorization: 'none', synchronizers: 2, ids: idsNeeding('several-synchronizers') },
]
let participants = 0
let bad = 0

/** The ids of rows that did not apply. */
async function judge({ name, variants }: Group, setting: Setting, ids = setting.ids): Promise<string[]> {
  const { authorization, synchronizers = 1, only } = setting
  const simulator = await startSimulator({ variants, behaviour: 'interface', authorization, synchronizers })
  const narrowed = { ...(only !== undefined && { only }), ...(ids && { ids }) }
  const rows = await judgedBy(simulator.url, { profile: 'interface', authorization, ...narrowed })
  const against = unpassedRows(rows)
  const having = (verdict: string): string[] => rows.flatMap((row) => (row.verdict === verdict ? [row.id] : []))
  const judged = `${having('pass').length} pass, ${having('not-applicable').length} do not apply`
  console.log(`${name}, ${setting.name}: ${judged}, ${against.length} against it`)
  for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${reason?.slice(0, 300)}`)
  await simulator.close()
  participants += 1
  bad += against.length
  return having('not-applicable')
}

const unjudged = new Map<string, Set<string>>()

/** The rows that apply to no participant in that setting. */
async function neverJudged(setting: Setting): Promise<Set<string>> {
  const known = unjudged.get(setting.name) ?? new Set(await judge(plain, setting))
  unjudged.set(setting.name, known)
  return known
}

/** A group, and then each of it with what the group left unjudged. */
async function apart(group: Group): Promise<void> {
  for (const setting of settings) {
    const never = await neverJudged(setting)
    const hidden = await judge(group, setting)
    const ids = new Set(hidden.filter((id) => !never.has(id)))
    if (ids.size > 0) for (const name of group.variants) await judge(alone(name), setting, ids)
  }
}

const groups = Object.entries(variantsAtOnce)
  .map(([name, several]): Group => ({ name, variants: several.map((one) => one.name) }))
  .filter(isWanted)
if (asked.includes('--apart')) {
  for (const group of groups) await apart(group)
} else {
  const single = [plain, ...(await allVariants()).map(({ name }) => alone(name))].filter(isWanted)
  for (const group of asked.includes('--together') ? groups : single)
    for (const setting of settings) await judge(group, setting)
}
console.log(`${participants} runs, ${bad} verdicts against them`)
process.exitCode = bad > 0 ? 1 : 0
