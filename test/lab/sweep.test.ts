/** Changes of members, and the rows that find them. */
import t from 'tap'
import { changes } from '../../lab/sweep/changes.js'
import { changeAt, pathsIn } from '../../lab/sweep/members.js'
import { sweep } from '../../lab/sweep/sweep.js'
import { sampleRow } from '../support/records/sample-row.js'

t.test('each member has a path, and a change alters nothing else', (t) => {
  const answer = { events: [{ nodeId: 1 }, { nodeId: 2 }], createArgument: { id: 'x' } }
  t.strictSame([...new Set(pathsIn(answer))], ['/events', '/events/*', '/events/*/nodeId', '/createArgument'])
  const oneMore = changes.get('one more') ?? (() => null)
  t.strictSame(changeAt(answer, ['events', '*', 'nodeId'], oneMore), {
    ...answer,
    events: [{ nodeId: 2 }, { nodeId: 3 }],
  })
  t.equal(changeAt(answer, ['createArgument'], oneMore), answer, 'the change does not apply')
  t.end()
})

t.test('a change is killed by a row that compares the member', (t) => {
  const found = sweep([{ row: sampleRow('CASE/row'), variables: new Map() }], ['submit-and-wait'])
  const at = (path: string, change: string) => found.find((one) => one.path === path && one.change === change)
  t.match(at('(status)', 'another of its class')?.killed, { row: 'CASE/row', rule: 'SAW-1' })
  t.match(at('/updateId', 'absent')?.killed, { rule: 'SAW-1' })
  t.equal(at('/updateId', 'another text')?.killed, undefined, 'the row compares only the type')
  t.end()
})
