/**
 * Every freedom by itself, as a command: `node dist/test/endurance/freedoms.js [NAME...]`, or with `--together` several at
 * once. No row of the text profile should tell anything against one of them.
 */
import { plain } from '../participants/alterations.js'
import { together } from '../participants/freedom.js'
import { freedoms, freedomsAtOnce } from '../participants/freedoms.js'
import { againstIt, judgedBy } from '../participants/judged-by.js'
import { type Lie, lyingParticipant } from '../participants/stage.js'

const asked = process.argv.slice(2)
const single = [plain, ...freedoms].filter(({ name }) => asked.length === 0 || asked.includes(name))
const groups = Object.entries(freedomsAtOnce).map(([name, several]) => ({ ...together(several), name }))
const isWanted = ({ name }: Lie): boolean => asked.length === 1 || asked.includes(name)
const chosen = asked.includes('--together') ? groups.filter(isWanted) : single
const secret = 'a secret of thirty-two bytes and more'
/** With authorization only the rows are asked that need it. */
const settings = [{ authorization: 'none' }, { authorization: `hs256:${secret}`, only: 'AUTH-*' }]

async function judge(freedom: Lie, setting: { authorization: string; only?: string }): Promise<number> {
  const ending: (() => unknown)[] = []
  const scope = { teardown: (end: () => unknown) => void ending.push(end) }
  const { url } = await lyingParticipant(scope, freedom, { behaviour: 'interface', ...setting })
  const rows = await judgedBy(url, { profile: 'interface', ...setting })
  const against = againstIt(rows)
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length
  const open = setting.authorization === 'none' ? 'open' : 'with authorization'
  const judged = `${count('pass')} pass, ${count('not-applicable')} do not apply`
  console.log(`${freedom.name}, ${open}: ${judged}, ${against.length} against it`)
  for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${reason?.slice(0, 300)}`)
  for (const end of ending.reverse()) await end()
  return against.length
}

let bad = 0
for (const freedom of chosen) for (const setting of settings) bad += await judge(freedom, setting)
console.log(`${chosen.length} participants, ${bad} verdicts against them`)
process.exitCode = bad > 0 ? 1 : 0
