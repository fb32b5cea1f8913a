/** No output contains secrets that targets repeat: `node dist/test/endurance/echoing-targets.js [PATTERN]` */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { echoRound, scopes } from '../support/servers/echo-rounds.js'
import { places } from '../support/servers/echoing-target.js'
import { issuerRound } from './echoing-issuers.js'

type Performed = ReturnType<typeof issuerRound>
type Ends = Parameters<typeof echoRound>[0]

const rounds = new Map<string, (ends: Ends, folder: string) => Performed>([['issuers', issuerRound]])
for (const place of Object.keys(places))
  for (const scope of Object.keys(scopes))
    rounds.set(`${place}, ${scope}`, (ends, folder) => echoRound(ends, folder, { place, scope }))

const pattern = new RegExp(process.argv[2] ?? '')
let bad = 0
let calls = 0
for (const [name, perform] of rounds) {
  if (!pattern.test(name)) continue
  const folder = await mkdtemp(join(tmpdir(), 'echoing-targets-'))
  const ends: (() => unknown)[] = []
  const { leaks, ran } = await perform({ teardown: (end: () => unknown) => void ends.push(end) }, folder)
  for (const end of ends) await end()
  await rm(folder, { recursive: true })
  calls += ran
  bad += leaks.length
  for (const leak of leaks) console.log(`! ${name}: ${leak}`)
}
console.log(`${calls} calls of commands, ${bad} secrets found`)
process.exitCode = bad === 0 && calls > 0 ? 0 : 1
