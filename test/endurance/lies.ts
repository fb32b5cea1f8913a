/** All participants that lie, and whether the suite finds them out: `node dist/test/endurance/lies.js [PART OF A NAME]`. */
import { foundOut } from '../participants/found-out.js'
import { inventions, lies } from '../participants/lies.js'

const [part = ''] = process.argv.slice(2)
const wanted = [...lies, ...inventions].filter(({ name }) => part.split(',').some((one) => name.includes(one)))
let missed = 0
for (const lie of wanted) {
  const undo: (() => unknown)[] = []
  const found = await foundOut({ teardown: (task) => void undo.push(task) }, lie)
  for (const task of undo.toReversed()) await task()
  const { rows, failed, cited, unjudged, milliseconds, isFound } = found
  if (!isFound) missed += 1
  const counts = `${rows.length} rows, ${failed.length} failed, ${cited.length} by its rules, ${unjudged.length} not judged`
  console.log(`${isFound ? 'found ' : 'MISSED'} ${lie.name}: ${counts}, ${(milliseconds / 1000).toFixed(1)} s`)
  const telling = cited[0] ?? failed[0] ?? unjudged[0]
  if (telling) console.log(`       ${telling.id}: ${(telling.reason ?? '').slice(0, 200)}`)
}
console.log(`${wanted.length} participants, ${missed} missed`)
process.exitCode = missed > 0 ? 1 : 0
