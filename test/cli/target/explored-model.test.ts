/** The embedded reference of an exploration behaves as the line of the profile. */
import t from 'tap'
import { embeddedReference } from '../../../cli/target/explored-model.js'
import { isJsonObject, parseJson } from '../../../lib/json/json.js'
import { readTarget } from '../../support/suites/plain-target.js'

t.test('the profile selects the behaviour of the reference', async (t) => {
  const target = readTarget('http://127.0.0.1:1', 'none')
  const versions: string[] = []
  for (const profile of [
    { name: 'canton-3.6' },
    { name: 'canton-3.5' },
    { name: 'my-participant', line: '3.6' },
    { name: 'my-participant', line: '9.9' },
    { name: 'my-participant' },
  ]) {
    const reference = await embeddedReference(target, profile, { synchronizers: 1, protocolVersion: 35 })
    t.teardown(() => reference.close())
    const answer = parseJson(await (await fetch(new URL('/v2/version', reference.target.url))).text())
    versions.push(isJsonObject(answer) ? String(answer['version']) : '')
  }
  t.strictSame(versions, ['3.6.0-SNAPSHOT', '3.5.10', '3.6.0-SNAPSHOT', '3.5.10', '3.5.10'])
})
