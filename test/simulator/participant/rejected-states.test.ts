/** Invalid saved states are rejected, with the reason and advice. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { builtInPackage } from '../../../simulator/ledger/packages/package-store.js'
import type { StateDocument } from '../../../simulator/participant/state-document.js'
import { StateError, startSimulator } from '../../../simulator/simulator.js'
import { control, savedIn, started } from './saved-state.js'

t.test('rejects invalid saved states with reason and advice', async (t) => {
  const wire = await started(t)
  const before = await savedIn(wire)
  const text = JSON.stringify(before, undefined, 2)
  const replaced = (found: string, by: string): string => resealed(text.replace(found, by))
  const unknownPackage = text.replaceAll(builtInPackage.id, 'f'.repeat(64))
  const mistakes: [title: string, text: string, code: string, message: RegExp][] = [
    ['nothing', '', 'NOT_JSON', /^line 1: not JSON/],
    ['the first half', text.slice(0, text.length >> 1), 'NOT_JSON', /^line \d{2,}: not JSON/],
    [
      'a list',
      '[]',
      'NO_STATE',
      /"format": "state of a simulated participant"; use the answer of GET \/control\/state/,
    ],
    ['other JSON', '{"format": "state"}', 'NO_STATE', /this JSON is not a saved state/],
    [
      'a later version',
      text.replace(`"version": ${before.version}`, `"version": ${before.version + 1}`),
      'STATE_VERSION',
      /^a state of version \d+, .*version \d+; save/,
    ],
    [
      'a deep version',
      text.replace(`"version": ${before.version}`, `"version": ${nest}`),
      'STATE_VERSION',
      /version \[\[\[/,
    ],
    [
      'without a version',
      text.replace(`"version": ${before.version},`, ''),
      'STATE_VERSION',
      /^a state of version null/,
    ],
    [
      'one character',
      text.replace('sandbox::', 'sandbux::'),
      'STATE_INCONSISTENT',
      /^the state changed after it was saved/,
    ],
    [
      'without a digest',
      text.replace('"digest"', '"digset"'),
      'STATE_INCONSISTENT',
      /^the state changed after it was saved/,
    ],
    ['a package', resealed(unknownPackage), 'STATE_INCONSISTENT', /knows no package ffff/],
    ['nonsense', replaced('"$map": []', '"$map": 7'), 'STATE_INCONSISTENT', /cannot be decoded/],
    ['an unknown kind', replaced('"$map": []', '"$mop": []'), 'STATE_INCONSISTENT', /no values of the kind \$mop/],
    [
      'an unknown update',
      replaced('"acceptedChanges": {\n        "$map": []', '"acceptedChanges": {\n        "$map": [["c", "nowhere"]]'),
      'STATE_INCONSISTENT',
      /no earlier completion has nowhere/,
    ],
    ['deep nesting', text.replace('"completions": [', `"completions": [${nest}`), 'STATE_INCONSISTENT', /digest/],
  ]
  for (const [title, body, code, message] of mistakes) {
    const answer = await control(wire, 'PUT /state', body)
    t.match(answer, { status: 400, contentType: 'application/json' }, title)
    t.match(answer.json(), { code, message })
    await t.rejects(startSimulator({ state: body }), StateError, title)
  }
  t.equal((await savedIn(wire)).digest.length, 64)
})

function resealed(text: string): string {
  const document = JSON.parse(text) as StateDocument // saved above, with one change
  const digest = createHash('sha256')
  for (const part of [document.state, ...document.completions]) digest.update(JSON.stringify(part))
  return JSON.stringify({ ...document, digest: digest.digest('hex') })
}

const nest = '['.repeat(100_000) + ']'.repeat(100_000)
