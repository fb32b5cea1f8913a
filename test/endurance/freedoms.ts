/**
 * Every freedom by itself, as a command: `node dist/test/endurance/freedoms.js [NAME...]`. With `--together` several at once, and
 * with `--apart` these first, then each by itself with the rows that did not apply to its group: the others have met it there. No row
 * of the text profile should tell anything against one of them.
 */
import { plain } from '../participants/alterations.js'
import { together } from '../participants/freedom.js'
import { freedoms, freedomsAtOnce } from '../participants/freedoms.js'
import { againstIt, judgedBy } from '../participants/judged-by.js'
import { type Lie, lyingParticipant } from '../participants/stage.js'

const asked = process.argv.slice(2)
const names = asked.filter((one) => !one.startsWith('--'))
const isWanted = ({ name }: Lie): boolean => names.length === 0 || names.includes(name)
const secret = 'a secret of thirty-two bytes and more'

/** With authorization only the rows are asked that need it. */
const settings = [{ authorization: 'none' }, { authorization: `hs256:${secret}`, only: 'AUTH-*' }]
let participants = 0
let bad = 0

/** The ids of rows that did not apply. */
async function judge(freedom: Lie, setting: (typeof settings)[number], ids?: ReadonlySet<string>): Promise<string[]> {
  const ending: (() => unknown)[] = []
  const scope = { teardown: (end: () => unknown) => void ending.push(end) }
  const { url } = await lyingParticipant(scope, freedom, { behaviour: 'interface', ...setting })
  const rows = await judgedBy(url, { profile: 'interface', ...setting, ...(ids && { ids }) })
  const against = againstIt(rows)
  const having = (verdict: string): string[] => rows.flatMap((row) => (row.verdict === verdict ? [row.id] : []))
  const open = setting.authorization === 'none' ? 'open' : 'with authorization'
  const judged = `${having('pass').length} pass, ${having('not-applicable').length} do not apply`
  console.log(`${freedom.name}, ${open}: ${judged}, ${against.length} against it`)
  for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${reason?.slice(0, 300)}`)
  for (const end of ending.reverse()) await end()
  participants += 1
  bad += against.length
  return having('not-applicable')
}

async function apart(name: string, several: readonly Lie[]): Promise<void> {
  for (const setting of settings) {
    const never = new Set(await judge(plain, setting))
    const hidden = await judge({ ...together(several), name }, setting)
    const ids = new Set(hidden.filter((id) => !never.has(id)))
    if (ids.size > 0) for (const freedom of several) await judge(freedom, setting, ids)
  }
}

const groups = Object.entries(freedomsAtOnce).filter(([name]) => isWanted({ ...plain, name }))
if (asked.includes('--apart')) {
  for (const [name, several] of groups) await apart(name, several)
} else {
  const single = [plain, ...freedoms].filter(isWanted)
  const chosen = asked.includes('--together') ? groups.map(([name, all]) => ({ ...together(all), name })) : single
  for (const freedom of chosen) for (const setting of settings) await judge(freedom, setting)
}
console.log(`${participants} runs, ${bad} verdicts against them`)
process.exitCode = bad > 0 ? 1 : 0
