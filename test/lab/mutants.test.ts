/** The catalogue of mutants: names, rules, and overridden checks. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { mutants } from '../../lab/mutants/catalogue.js'
import { UsageError } from '../../lib/usage-error.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { enforcedRules } from '../../simulator/base/checks.js'

const suites = fileURLToPath(new URL('../../../suites/', import.meta.url))

t.test('each mutant breaks one existing rule by an override', async (t) => {
  const { rules } = await loadSuite(suites)
  const testable = new Set(
    [...rules.values()].filter(({ strength }) => strength === 'must' || strength === 'should').map(({ id }) => id),
  )
  t.ok(mutants.length >= 250, `${mutants.length} mutants`)
  t.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length, 'unique names')
  t.strictSame(
    mutants.filter(({ rule }) => !testable.has(rule)).map(({ name, rule }) => `${name}: ${rule}`),
    [],
  )
  for (const { name, sentence, without, interceptor, seenAs, decisions } of mutants) {
    if (!/^[a-z0-9-]+$/.test(name) || sentence === '') t.fail(`${name}: wrong name or no sentence`)
    if (![without, interceptor, seenAs, decisions].some(Boolean)) t.fail(`${name}: no override`)
  }
})

t.test('a mutant skips each check of the simulator, except checks of may-rules', async (t) => {
  const skipped = mutants.flatMap(({ without }) => without ?? [])
  const { rules } = await loadSuite(suites)
  const mandatory = enforcedRules().filter((rule) => rules.get(rule)?.strength !== 'may')
  t.strictSame(skipped.toSorted(), mandatory)
  t.ok(skipped.length > 40)
})

t.test('rejects unknown names', (t) => {
  t.throws(() => findOverrides({ mutant: 'everything-fond' }), {
    name: 'UsageError',
    message: 'unknown mutant "everything-fond"; did you mean "everything-found"?',
  })
  t.throws(() => findOverrides({ variants: ['x'] }), UsageError)
  t.end()
})
