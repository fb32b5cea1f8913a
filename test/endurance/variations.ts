/**
 * Every variation by itself, as a command: `node dist/test/endurance/variations.js [NAME...]`, or with `--together` several at
 * once. No row of the text profile should tell anything against one of them.
 */
import { allVariations, startSimulator } from '../../simulator/simulator.js'
import { variationsAtOnce } from '../../simulator/variations/catalogue.js'
import { againstIt, judgedBy } from '../judged-by.js'

/** What one participant does at once. */
interface Group {
  name: string
  variations: string[]
}

const variations = await allVariations()

const asked = process.argv.slice(2)
const single: Group[] = [
  { name: 'plain', variations: [] },
  ...variations.map(({ name }) => ({ name, variations: [name] })),
].filter(({ name }) => asked.length === 0 || asked.includes(name))
const groups = Object.entries(variationsAtOnce).map(
  ([name, several]): Group => ({ name, variations: several.map((one) => one.name) }),
)
const isWanted = ({ name }: Group): boolean => asked.length === 1 || asked.includes(name)
const chosen = asked.includes('--together') ? groups.filter(isWanted) : single
const secret = 'a secret of thirty-two bytes and more'
/** With authorization only the rows are asked that need it. */
const settings = [{ authorization: 'none' }, { authorization: `hs256:${secret}`, only: 'AUTH-*' }]

async function judge({ name, variations }: Group, setting: { authorization: string; only?: string }): Promise<number> {
  const simulator = await startSimulator({ variations, behaviour: 'interface', ...setting })
  const rows = await judgedBy(simulator.url, { profile: 'interface', ...setting })
  const against = againstIt(rows)
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length
  const open = setting.authorization === 'none' ? 'open' : 'with authorization'
  const judged = `${count('pass')} pass, ${count('not-applicable')} do not apply`
  console.log(`${name}, ${open}: ${judged}, ${against.length} against it`)
  for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${reason?.slice(0, 300)}`)
  await simulator.close()
  return against.length
}

let bad = 0
for (const group of chosen) for (const setting of settings) bad += await judge(group, setting)
console.log(`${chosen.length} participants, ${bad} verdicts against them`)
process.exitCode = bad > 0 ? 1 : 0
