/** In the order of help and page. `npm run settings` writes the schema and docs/target-file.md. */
import { operationNames, supportNames } from '../../interface/operations.js'
import { permissionNames } from '../../record/types/effects.js'
import type { Impact } from '../../record/types/resolved-row.js'
import { connectionSetting, participantSetting, runSetting, type Setting } from './setting.js'

/** Commands without a selection. */
const withoutSelection = ['certify', 'clean', 'explore'] as const

export const settings = [
  participantSetting('target', 'text', '<url>', {
    description: 'base URL of the participant',
    default: 'start the embedded simulator',
    more: 'The URL includes its path',
  }),
  participantSetting('authorization', { definition: 'authorization' }, '<how>', {
    description:
      'how clients authenticate: `none`, `given`, `hs256:SECRET`, `hs256-env:NAME`, `hs256-file:FILE`, `rs256:FILE`, `es256:FILE` or `es512:FILE`',
    otherwise: '`given` with a token, else `none`',
    more: 'See [Credentials](../target-file.md#credentials)',
    isSecret: true,
  }),
  participantSetting('callers', 'map', undefined, {
    description: 'existing users by actor of the suite; `anyone` is the user for all other actors',
    options: [
      {
        name: 'token',
        argument: '<[actor=]token...>',
        description: 'token of an actor, or of all actors: env:NAME, file:FILE, command:LINE, or the token itself',
        inner: 'token',
      },
      { name: 'user', argument: '<actor=id...>', description: 'existing user for an actor', inner: 'user' },
    ],
    more: 'See [Credentials](../target-file.md#credentials)',
    items: { definition: 'caller' },
    combined: 2,
    isSecret: true,
  }),
  participantSetting('parties', 'map', undefined, {
    description: 'existing parties, by the fixture that each replaces',
    options: [{ name: 'party', argument: '<fixture=id...>', description: 'existing party for a fixture' }],
    otherwise: 'the run creates them',
    more: '`alice: alice::1220…` in a file, `--party alice=alice::1220…` as an option',
    except: ['clean', 'explore', 'token'],
    items: 'A party id.',
    combined: 1,
  }),
  participantSetting('given', 'map', undefined, {
    description: 'existing contracts and other values, by the fixture that each replaces',
    options: [
      {
        name: 'contract',
        argument: '<fixture=id...>',
        inner: 'contractId',
        description: 'existing contract for a fixture; the run does not create it',
      },
    ],
    otherwise: 'the run creates them',
    more: '`ping: { contractId: 00…, createdAt: … }` in a file, `--contract ping=00…` as an option. See [Given fixtures](../target-file.md#given-fixtures)',
    except: ['clean', 'explore', 'token'],
    items: { definition: 'given' },
    combined: 2,
  }),
  participantSetting('administrator', 'text', '<user>', {
    description: 'user id of the administrator',
    default: 'participant_admin',
    more: 'This user creates the fixtures',
  }),
  runSetting('profile', 'text', '<name or file>', {
    group: 'result',
    description: 'profile that judges the answers: a name, or the path of a profile file',
    default: 'by the version of the target',
    more: 'A version of no known line, and an unknown version, select `interface` ([profiles.md](../profiles.md))',
    except: ['clean', 'learn'],
  }),
  runSetting('out', 'text', '<folder>', {
    group: 'result',
    description: 'results folder; each run has its own folder in it, and `latest` is the newest',
    default: 'results',
  }),
  runSetting('record', 'text', '<form>', {
    description: 'form of the run record: `brotli` or `plain`',
    default: 'brotli',
    schema: { enum: ['brotli', 'plain'] },
    except: ['clean', 'explore', 'learn'],
  }),
  runSetting('protocol-version', 'count', '<n>', {
    description: 'protocol version of the synchronizer',
    default: 'read from the target',
    configuration: 'own',
    except: ['clean'],
  }),
  participantSetting('synchronizer', 'text', '<id>', {
    description: 'synchronizer of the transactions, if the target prepares none',
    otherwise: 'read from the target',
    more: 'The form is that of prepared transactions: `name::1220…` with protocol version 34, `name::1220…::35-0` (version and serial) from 35 on',
    except: ['clean', 'explore', 'token'],
  }),
  participantSetting('unreachable', 'list', '<operations...>', {
    description: 'operations that the run must not call; `all`: every support operation',
    items: { kind: 'operation', values: ['all', ...operationNames, ...supportNames] },
    more: 'See [Unreachable operations](../target-file.md#unreachable-operations)',
  }),
  participantSetting('claims', { definition: 'claims' }, undefined, {
    description: 'declared facts about the target that a run can neither create nor read',
    more: 'See [Declared facts](../target-file.md#declared-facts)',
  }),
  participantSetting('presigned', 'list', undefined, {
    description: 'external parties with prepared transactions that they have already signed',
    items: { definition: 'party' },
    more: 'See [Presigned transactions](../target-file.md#presigned-transactions)',
  }),
  {
    name: 'configurations',
    value: 'list',
    argument: undefined,
    of: 'file',
    description:
      'further configurations of the same version of the participant; an entry with its own target inherits no settings of the first participant',
    items: { definition: 'configuration' },
    more: 'See [Several configurations](../target-file.md#several-configurations)',
  },
  {
    name: 'simulator',
    value: { definition: 'simulator' },
    argument: undefined,
    of: 'file',
    description: 'options of `conform simulate`; other commands do not read them',
    more: 'See [The simulator](../target-file.md#the-simulator)',
  },
  runSetting('operations', 'list', '<names...>', {
    group: 'selection',
    description: 'limit the run and its conclusion to these operations',
    items: { kind: 'operation', values: operationNames, description: 'The name of an operation of the interface.' },
    otherwise: 'all',
    more: 'They are the [scope](../certificate.md#the-scope) of the run',
    except: ['clean', 'explore'],
  }),
  runSetting('only', 'list', '<patterns...>', {
    group: 'selection',
    description: 'only rows whose id, operation or rule matches a pattern; `*` matches any text',
    otherwise: 'all',
    more: 'The id of a row selects this row alone. Each pattern must match a row of the suite',
    schema: { type: ['string', 'array'], minLength: 1 },
    items: 'A pattern.',
    except: ['certify', 'clean', 'explore'],
  }),
  runSetting('not', 'list', '<patterns...>', {
    group: 'selection',
    description: 'skip rows whose id, operation or rule matches a pattern',
    except: withoutSelection,
    items: 'A pattern.',
  }),
  runSetting('impact', 'list', '<what...>', {
    group: 'selection',
    description: 'only rows with this effect on a conforming target: `read`, `write`, `topology`, `hazard`',
    items: {
      kind: 'impact',
      values: ['read', 'write', 'topology', 'hazard'] satisfies Impact[],
      description: 'The change that a row makes on a conforming participant.',
    },
    otherwise: 'all',
    except: withoutSelection,
  }),
  runSetting('failed-of', 'text', '<run>', {
    group: 'selection',
    description: 'only rows that failed or were blocked in an earlier run',
    otherwise: 'all',
    more: 'The value is its record or folder',
    except: withoutSelection,
  }),
  runSetting('shard', 'text', '<i/n>', {
    group: 'selection',
    description: 'only the i-th of n parts; rows that must run alone are in the last part',
    otherwise: 'the whole run',
    more: 'For example, `2/3` ([nightly.md](../nightly.md#split-a-run))',
    schema: { pattern: '^[0-9]{1,4}/[0-9]{1,4}$', patternErrorMessage: 'a shard is written as 2/3' },
    except: withoutSelection,
  }),
  runSetting('alone-after', 'list', '<folders...>', {
    description: 'delay rows that must run alone until the runs with the same seed in these folders end',
    items: 'Path of a folder.',
    otherwise: 'no wait',
    except: withoutSelection,
  }),
  runSetting('seed', 'text', '<text>', {
    description: 'repeat the order of an earlier run',
    otherwise: 'random',
    except: ['clean'],
  }),
  runSetting('shuffle', 'switch', undefined, {
    description: 'use a new random order, even if a seed is set elsewhere',
    otherwise: 'off',
    except: ['clean', 'explore'],
  }),
  runSetting('repeat', 'count', '<n>', {
    description: 'run each row this number of times, and report rows with different verdicts',
    otherwise: '1',
    more: 'The maximum is 20',
    schema: { maximum: 20 },
    except: withoutSelection,
  }),
  runSetting('fail-fast', 'count', '<n>', {
    description: 'end the run after this number of failed rows',
    otherwise: 'never',
    more: 'The exit code is 1',
    except: withoutSelection,
  }),
  runSetting('concurrency', 'count', '<n>', {
    description: 'highest number of concurrent rows, or of request sequences of explore',
    default: '32; 16 on the embedded simulator and for explore',
    more: 'A run on a target starts with 8 rows. It adds rows while the target returns more answers per second, and removes some after 429, 503 or a timeout',
    except: ['clean'],
  }),
  runSetting('request-timeout', 'count', '<seconds>', {
    description: 'time limit of one exchange in seconds',
    default: '30',
    more: 'The reference gives up after 20',
  }),
  runSetting('max-time', 'count', '<minutes>', {
    description: 'end the run after this number of minutes and keep its results',
    default: '15',
    except: ['clean', 'explore'],
  }),
  runSetting('wait', 'text', '<duration>', {
    description: 'wait for a target that is not ready or has no synchronizer: `60s`, or `5m`',
    otherwise: 'no wait',
    more: 'The run waits at the start. Not ready means no answer, or 502, 503 or 504',
    schema: { type: ['string', 'integer'], pattern: '^[0-9]{1,6}[sm]?$', minimum: 1 },
    except: ['explore'],
  }),
  runSetting('allow', 'list', '<what...>', {
    description: 'permitted changes: `read`, `write`, `topology`, `upload`, `hazard`',
    items: {
      kind: 'permission',
      values: permissionNames,
      description:
        'Read permits no changes. Write: submit transactions, and create parties and users. Topology: change package vetting and restore it. Upload: upload packages of the conformance model. Hazard: send requests that can stop a faulty participant.',
    },
    default: 'read, write; on a loopback address also topology',
    more: 'Reading is always permitted. See [permissions.md](../permissions.md)',
    except: ['clean'],
  }),
  runSetting('late-check', 'count', '<seconds>', {
    description: 'seconds between a row and its late-effects check',
    default: '3; embedded simulator: 0',
    more: 'Only the end of the run waits: after an accepted `execute` on another participant, at least 3 seconds',
    member: 'lateDelay',
    least: 0,
    except: ['clean', 'explore'],
  }),
  runSetting('keep-users', 'switch', undefined, {
    description: 'keep the users that the run creates active, so that printed curl commands work',
    otherwise: 'off: the run deactivates them',
    more: '`conform clean` deactivates them later',
    except: ['clean', 'explore'],
  }),
  connectionSetting('headers', 'map', undefined, {
    description: 'headers of every request, such as an API key; their values are not recorded',
    items: 'The value.',
    options: [{ name: 'header', argument: '<name=value...>', description: 'headers for every request' }],
    combined: 1,
    isSecret: true,
  }),
  connectionSetting('ca', 'text', '<file>', {
    description: 'trusted certificates (PEM), instead of the default ones',
    otherwise: 'those of Node',
    configuration: 'inherited',
  }),
  connectionSetting('client-certificate', 'text', '<file>', {
    description: 'client certificate (PEM)',
  }),
  connectionSetting('client-key', 'text', '<file>', {
    description: 'private key (PEM) of the client certificate',
  }),
  connectionSetting('client-key-passphrase', 'text', '<text>', {
    description: 'passphrase of the client key; safer in the environment variable',
    isSecret: true,
  }),
  connectionSetting('insecure', 'switch', undefined, {
    description: 'do not verify certificates; every report states this',
    otherwise: 'no',
    except: ['certify'],
  }),
  connectionSetting('proxy', 'text', '<url>', {
    description: 'proxy for every request, instead of `HTTPS_PROXY` and `HTTP_PROXY`',
    otherwise: '`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, except for `NO_PROXY` and loopback addresses',
    more: 'The URL contains user and password if the proxy requires them',
    configuration: 'inherited',
    isSecret: true,
  }),
  runSetting('redact', 'list', '<patterns...>', {
    group: 'result',
    description: 'regular expressions; matching text is not recorded',
    items: 'A regular expression.',
  }),
  runSetting('baseline', 'text', '<run>', {
    group: 'result',
    description: 'earlier run: only regressions against it fail this run',
    more: 'See [nightly.md](../nightly.md#compare-with-an-earlier-run)',
    except: withoutSelection,
  }),
  runSetting('text', 'text', '<file>', {
    group: 'result',
    description: 'interface text, whose sentences the reports quote',
    more: 'The run prints its digest, which must be that of the suite. The record contains no sentence',
    except: withoutSelection,
  }),
  runSetting('min-judged', 'count', '<n>', {
    group: 'result',
    description: 'minimum number of judged rows',
    more: 'With fewer, the run ends with 5',
    except: withoutSelection,
  }),
  runSetting('waivers', 'text', '<file>', {
    group: 'result',
    description: 'known failures to excuse (YAML)',
    more: 'See [nightly.md](../nightly.md#waivers)',
    except: withoutSelection,
  }),
  runSetting('waivers-lenient', 'switch', undefined, {
    group: 'result',
    description: 'only warn about expired, unmatched or unneeded waivers',
    otherwise: 'off: the run ends with 5',
    except: withoutSelection,
  }),
  runSetting('suite', 'text', '<folder>', {
    description: 'suite folder',
    default: 'the suite of this program',
  }),
] as const satisfies readonly Setting[]
