/** A few kinds of hostile answers; `npm run test:endurance` meets hundreds. */
import t from 'tap'
import { meetAll } from './endurance/meet-hostile-answers.js'
import { hostileAnswers } from './hostile-answers.js'

t.test('whatever a target answers, a run ends as every run does', async (t) => {
  t.capture(console, 'log', () => undefined)
  const quick = /: (?:mutated|other type|no JSON|cut off|long text|reset|no HTTP|large headers|terminal controls) at/
  const answers = hostileAnswers('quick', 60).filter(({ name }) => quick.test(name))
  await meetAll(answers.slice(0, 9), t.testdir(), ({ name, problems }) => t.strictSame(problems, [], name))
})

t.test('the same seed gives the same answers', async (t) => {
  const names = (seed: string) => hostileAnswers(seed, 40).map(({ name }) => name)
  t.strictSame(names('one'), names('one'))
  t.notSame(names('one'), names('two'))
})
