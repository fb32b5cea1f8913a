/** The shared/exclusive lock: order of shared and exclusive work, and errors. */
import t from 'tap'
import { SharedLock } from '../../explore/shared-lock.js'

/** Logs its start and end, and ends on request. */
function loggedWork(lock: SharedLock) {
  const log: string[] = []
  const begin = (name: string, isExclusive = false) => {
    let letGo = (): void => undefined
    const end = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const work = async (): Promise<void> => {
      log.push(`${name} begins`)
      await end
      log.push(`${name} ends`)
    }
    const done = isExclusive ? lock.exclusive(work) : lock.share(work)
    return async (): Promise<void> => {
      letGo()
      await done
    }
  }
  return { log, begin }
}

t.test('exclusive work waits for shared work, and later work waits for exclusive work', async (t) => {
  const lock = new SharedLock()
  const { log, begin } = loggedWork(lock)
  const [a, b] = [begin('a'), begin('b')]
  const exclusive = begin('exclusive', true)
  const later = begin('later')
  await a()
  t.strictSame(log, ['a begins', 'b begins', 'a ends'])
  await b()
  await exclusive()
  await later()
  t.strictSame(log.slice(3), ['b ends', 'exclusive begins', 'exclusive ends', 'later begins', 'later ends'])
})

t.test('an error of one work does not affect other work', async (t) => {
  const lock = new SharedLock()
  const fault = new Error('a fault')
  await t.rejects(
    lock.share(() => Promise.reject(fault)),
    fault,
  )
  await t.rejects(
    lock.exclusive(() => Promise.reject(fault)),
    fault,
  )
  t.equal(await lock.share(async () => 'done'), 'done')
})
