/** The settings that the command for one row repeats. */
import { join } from 'node:path'
import t from 'tap'
import { type Reader, repeatedSettings } from '../../../cli/target/repeated-settings.js'
import { settingOptions } from '../../../cli/target/setting-options.js'
import type { Flags } from '../../../cli/target/settings.js'
import { camelCase } from '../../../lib/camel-case.js'
import { rerunCommand, settingWords } from '../../../reports/wording/shell.js'
import { sampleHeader } from '../../support/records/sample-record.js'

const words = (flags: Flags, environment: NodeJS.ProcessEnv = {}, reader: Reader = 'record'): string =>
  settingWords(repeatedSettings(flags, environment, reader)).join(' ')

t.test('each option is repeated, or belongs to a whole run', async (t) => {
  const omitted = settingOptions.filter(({ name }) => words({ [camelCase(name)]: 'x' }) === '').map(({ name }) => name)
  t.strictSame(omitted, [
    ...['target', 'profile', 'only', 'not', 'impact', 'failed-of', 'shard', 'alone-after', 'seed', 'shuffle'],
    ...['fail-fast', 'concurrency', 'baseline', 'text', 'min-judged'],
  ])
})

t.test('values are repeated as given; a switch has none', async (t) => {
  const flags = {
    ...{ unreachable: ['version', 'prepare'], party: ['alice=alice::1220ab', 'bob=b'], config: 'my target.yaml' },
    ...{ authorization: 'hs256-env:KEY', insecure: true, waiversLenient: false, lateCheck: '0' },
  }
  t.equal(
    words(flags),
    "--authorization hs256-env:KEY --party alice=alice::1220ab bob=b --unreachable version prepare --late-check 0 --insecure --config 'my target.yaml'",
  )
})

t.test('variables replace secrets, and in records also paths of keys and of other folders', async (t) => {
  const flags = {
    ...{ authorization: 'rs256:keys/private.pem', token: ['alice=env:A', 'bob=secret-1', 'eve=file:/x/secret-2'] },
    ...{ header: ['x-key=secret-3'], redact: ['secret-4'], clientKeyPassphrase: 'secret-5' },
    ...{ proxy: 'http://me:secret-6@proxy', config: '/home/secret-7/target.yaml', suite: join(process.cwd(), 'mine') },
  }
  const recorded = words(flags)
  t.notMatch(recorded, /secret-|private\.pem/)
  t.match(recorded, '--authorization rs256:"$KEY_FILE" --token alice=env:A bob="$TOKEN_1" eve=file:"$TOKEN_2"')
  t.match(recorded, '--header x-key="$HEADER_1" --client-key-passphrase "$PASSPHRASE" --proxy "$PROXY"')
  t.match(recorded, '--suite mine --config "$CONFIG"')
  const printed = words(flags, {}, 'console')
  t.match(printed, '--authorization rs256:keys/private.pem --token alice=env:A bob="$TOKEN_1" eve=file:/x/secret-2')
  t.match(printed, '--config /home/secret-7/target.yaml')
  t.notMatch(printed, /secret-[13456]/)
})

t.test('variables of the environment are repeated, and name themselves if they are secret', async (t) => {
  const environment = {
    ...{
      CONFORM_AUTHORIZATION: 'hs256:secret-1',
      CONFORM_UNREACHABLE: 'version\nprepare',
      CONFORM_PARTY: 'alice=a\nbob=b',
    },
    ...{ CONFORM_TOKEN: 'secret-2\nalice=secret-3', CONFORM_INSECURE: 'false', CONFORM_CONFIG: 't.yaml' },
  }
  t.equal(
    words({ party: ['bob=c'], config: 'u.yaml' }, environment),
    '--authorization "$CONFORM_AUTHORIZATION" --party alice=a bob=c --unreachable version prepare --config u.yaml',
  )
})

t.test('the command for a row of the second configuration of the simulator has tokens', async (t) => {
  const header = sampleHeader()
  const one = {
    run: 'a',
    seed: 's',
    url: 'http://x',
    synchronizers: 'one' as const,
    capabilities: {},
    judged: 1,
    digest: '',
  }
  const configurations = [
    { ...one, authorization: 'none' },
    { ...one, authorization: 'hs256' },
  ]
  const run = { ...header, configurations, options: { settings: [] } }
  t.equal(rerunCommand({ id: 'A/b' }, run), 'conform run --only A/b')
  t.equal(
    rerunCommand({ id: 'A/b', configuration: 2 }, run),
    'conform run --only A/b --authorization hs256:secret-of-the-simulator',
  )
})
