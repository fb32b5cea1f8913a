/** Who is let in at once, and who has to wait. */
import t from 'tap'
import { SharedLock } from '../../explore/shared-lock.js'

/** Work that says when it begins and when it ends, and ends when it is told to. */
function works(turnstile: SharedLock) {
  const told: string[] = []
  const begin = (name: string, isAlone = false) => {
    let letGo = (): void => undefined
    const end = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const work = async (): Promise<void> => {
      told.push(`${name} begins`)
      await end
      told.push(`${name} ends`)
    }
    const done = isAlone ? turnstile.exclusive(work) : turnstile.share(work)
    return async (): Promise<void> => {
      letGo()
      await done
    }
  }
  return { told, begin }
}

t.test('those who share are in at once; who has to be alone waits for them, and those behind for him', async (t) => {
  const turnstile = new SharedLock()
  const { told, begin } = works(turnstile)
  const [a, b] = [begin('a'), begin('b')]
  const alone = begin('alone', true)
  const later = begin('later')
  await a()
  t.strictSame(told, ['a begins', 'b begins', 'a ends'])
  t.equal(turnstile.exclusiveRuns, 0)
  await b()
  await alone()
  await later()
  t.equal(turnstile.exclusiveRuns, 1)
  t.strictSame(told.slice(3), ['b ends', 'alone begins', 'alone ends', 'later begins', 'later ends'])
})

t.test('what goes wrong is the trouble of the one alone', async (t) => {
  const turnstile = new SharedLock()
  const fault = new Error('a fault')
  await t.rejects(
    turnstile.share(() => Promise.reject(fault)),
    fault,
  )
  await t.rejects(
    turnstile.exclusive(() => Promise.reject(fault)),
    fault,
  )
  t.equal(await turnstile.share(async () => 'in'), 'in')
})
