/**
 * Every freedom by itself, as a command: `node dist/test/participants/judge-freedoms.js [NAME...]`. No row of the text profile
 * should tell anything against one of them.
 */
import { freedoms } from './freedoms.js'
import { againstIt, judgedBy } from './judged-by.js'
import { lyingParticipant } from './stage.js'

const asked = process.argv.slice(2)
const known = freedoms.filter(({ name }) => asked.length === 0 || asked.includes(name))
const secret = 'a secret of thirty-two bytes and more'
let bad = 0
for (const freedom of known) {
  for (const authorization of ['none', `hs256:${secret}`]) {
    const ending: (() => unknown)[] = []
    const scope = { teardown: (end: () => unknown) => void ending.push(end) }
    const { url } = await lyingParticipant(scope, freedom, { behaviour: 'interface', authorization })
    const rows = await judgedBy(url, { profile: 'interface', authorization })
    const against = againstIt(rows)
    bad += against.length
    const judged = rows.filter(({ verdict }) => verdict === 'pass').length
    console.log(`${freedom.name} ${authorization.slice(0, 5)}: ${judged} pass, ${against.length} against it`)
    for (const { id, verdict, reason } of against) console.log(`    ! ${id} ${verdict}: ${reason}`)
    for (const end of ending.reverse()) await end()
  }
}
process.exitCode = bad > 0 ? 1 : 0
