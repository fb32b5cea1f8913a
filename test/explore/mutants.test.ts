/** Seeded faults that an exploration finds and shrinks. `npm run measure:explore` takes a larger sample. */
import t from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { alone, explored } from '../support/records/explored.js'

/** Altered answers, wrong errors, wrong effects, and vetting. */
const ten: readonly string[] = [
  'looked-up-template-id-of-another',
  'looked-up-contract-id-left-out',
  'submitted-completion-offset-left-out',
  'submitted-completion-offset-zero',
  'vetted-past-vetted-packages-left-out',
  'lookup-querying-parties-demanded',
  'dry-runs-applied',
  'executed-effective-at-a-second-later',
  'without-cbi-stakeholder-intersection',
  'without-vet-serial-guard',
]
/** EXPLORED_MUTANTS=whole tests all ten, in a minute. */
const mutants = process.env['EXPLORED_MUTANTS'] === 'whole' ? ten : ten.slice(-2)

/** The findings name the broken rule first. */
const rules: ReadonlyMap<string, string> = new Map([
  ['without-cbi-stakeholder-intersection', 'CBI-STAKEHOLDER-INTERSECTION'],
  ['without-vet-serial-guard', 'VET-SERIAL-GUARD'],
])

t.test('finds each seeded fault with few requests', async (t) => {
  for (const mutant of mutants) {
    const overrides = findOverrides({ mutant })
    const { findings } = await explored({ overrides }, { seed: 'b', sequences: 80, ...alone })
    const [finding] = findings
    t.ok(finding && finding.steps.length <= 4, `${mutant}: ${finding?.steps.length} requests`)
    const rule = rules.get(mutant)
    if (rule !== undefined) t.match(finding?.ruling, { rules: [rule] })
    t.match(finding?.commands.at(-1), /^curl -sS -i -X POST /)
  }
})
