/** Variants of spellings fail rows by the facts of the reference, and pass them by the text. */
import t from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { startSimulator } from '../../simulator/simulator.js'
import { judgedTwice, unpassedRows } from '../support/records/judged-by.js'
import { wholeSuite } from '../support/suites/whole-suite.js'
import { inWords } from '../support/words/in-words.js'

const times = ['SAW-TIME-FORM', 'VET-TIME-FORM', 'EXE-TIME-FORM', 'EWT-TIME-FORM']
const authorization = 'hs256:a secret of thirty-two bytes and more'

interface Varied {
  variant: string
  /** Cases with a row that fails by the facts. */
  cases: readonly string[]
  authorization?: string
}

const all: readonly Varied[] = [
  { variant: 'unusual-times-ignored', cases: times },
  { variant: 'unusual-times-rejected', cases: times },
  { variant: 'integers-in-any-text', cases: ['SAW-INTEGER-FORM'] },
  { variant: 'plain-integers', cases: ['SAW-INTEGER-FORM'] },
  { variant: 'unvetted-preferences-ignored', cases: ['SAW-PREFERENCE-UNVETTED'] },
  { variant: 'claims-ignored', cases: ['CBI-CLAIMS'], authorization },
  { variant: 'few-claims', cases: ['CBI-CLAIMS'], authorization },
]

for (const { variant, cases, authorization = 'none' } of all) {
  t.test(variant, async (t) => {
    const overrides = findOverrides({ variants: [variant] })
    const simulator = await startSimulator({ overrides, behaviour: 'interface', authorization })
    t.teardown(() => simulator.close())
    const rows = wholeSuite.cases.flatMap(({ id, rows }) =>
      cases.includes(id) ? rows.map((row) => `${id}/${row.id}`) : [],
    )
    const { byFacts, byText } = await judgedTwice(simulator.url, { ids: new Set(rows), authorization })
    t.strictSame([...new Set(unpassedRows(byFacts).map(({ id }) => id.split('/')[0]))].sort(), cases.toSorted())
    t.strictSame(
      unpassedRows(byText).map(({ id, reason }) => `${id}: ${inWords(reason)}`),
      [],
    )
  })
}
