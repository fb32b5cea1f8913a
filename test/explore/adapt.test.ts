/** Switch points of the reference during an exploration. */
import t from 'tap'
import { adaptationOf } from '../../explore/judge/adapt.js'

/** `on`: names of the points at which the reference follows the text. */
function switches() {
  const on = new Set<string>()
  const toggle = async (names: readonly string[]): Promise<void> => {
    for (const name of names) if (!on.delete(name)) on.add(name)
  }
  return {
    on,
    adaptation: adaptationOf({ points: ['one', 'other'], together: [], toggle }),
  }
}

t.test('a point that removes the difference stays toggled', async (t) => {
  const { on, adaptation } = switches()
  t.strictSame(await adaptation.adapt(async () => on.has('other')), { points: ['other'], effect: 'follows' })
  t.strictSame([...on], ['other'])
  t.equal(await adaptation.adapt(async () => false), undefined)
  t.strictSame([...on], ['other'])
  t.equal(
    await adaptation.adapt(
      async () => on.has('one'),
      () => false,
    ),
    undefined,
  )
  t.strictSame([...on], ['other'], 'an invalid attempt changes nothing')
})

t.test('a request with several faults does not switch a divergence off for later requests', async (t) => {
  const { on, adaptation } = switches()
  const isMasked = async (): Promise<boolean> => on.has('one')
  t.match(await adaptation.adapt(isMasked), { effect: 'follows' })
  t.strictSame(await adaptation.adapt(async () => !on.has('one')), { points: ['one'], effect: 'restored' })
  t.strictSame([...on], [])
  t.strictSame(await adaptation.adapt(isMasked), { points: ['one'], effect: 'masked' })
  t.strictSame([...on], [], 'the point does not change again')
})
