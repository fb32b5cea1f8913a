/** Participants that take another submission than the one that was sent. */
import { gunzipSync } from 'node:zlib'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Asked, KnownOperation } from '../participant/door.js'
import type { Doorkeeper, Stage } from '../participant/participant.js'
import {
  acceptedInOrder,
  afterwards,
  alteringRequests,
  bodyOf,
  everyText,
  everywhere,
  freshId,
  withBody,
} from './alterations.js'
import type { Mutant } from './mutant.js'

const submit = ['submit-and-wait'] as const

const twice: Mutant = {
  name: 'committed-twice',
  sentence: 'A submission is committed twice, the second time with a different commandId.',
  rule: 'SAW-PURPOSE',
  operation: 'submit-and-wait',
  shows: 'ledger',
  door: afterwards(submit, async (asked, told, stage) => {
    if (told.status !== 200) return
    await stage.ask(withBody(asked, { ...bodyOf(asked), commandId: freshId('again'), submissionId: '' }))
  }),
}

const shortDefault: Mutant = {
  name: 'deduplication-default-of-a-second',
  sentence: 'Without a deduplicationPeriod, a change id is deduplicated for one second only.',
  rule: 'SAW-DEDUPLICATION-DEFAULT',
  operation: 'submit-and-wait',
  shows: 'repetition',
  door: alteringRequests(submit, (body) => ({
    ...body,
    deduplicationPeriod: body['deduplicationPeriod'] ?? { DeduplicationDuration: { value: { seconds: 1, nanos: 0 } } },
  })),
}

/** Forgets accepted changes as soon as `isOld` says so of the number of changes that came after it. */
const forgetting =
  (isOld: (later: number) => boolean): Doorkeeper =>
  (stage) =>
  async (asked) => {
    const told = await stage.ask(asked)
    const order = acceptedInOrder(stage.participant)
    for (const [index, id] of order.entries()) {
      if (isOld(order.length - 1 - index) && order.lastIndexOf(id) === index)
        stage.participant.ledger.state.acceptedChanges.delete(id)
    }
    return told
  }

const forgetsAfterTwenty: Mutant = {
  name: 'deduplication-forgets-after-twenty',
  sentence: 'A change id is no longer deduplicated after twenty other submissions.',
  rule: 'SAW-DEDUPLICATION-WINDOW',
  operation: 'submit-and-wait',
  shows: 'repetition',
  door: forgetting((later) => later >= 20),
}

const forgetsAfterASecond: Mutant = {
  name: 'deduplication-forgets-after-a-second',
  sentence: 'A change id is deduplicated for one second, whatever the deduplicationPeriod.',
  rule: 'SAW-DEDUPLICATION-WINDOW',
  operation: 'submit-and-wait',
  shows: 'repetition',
  door: afterwards([...submit, 'execute', 'execute-and-wait-for-transaction'], (_asked, _told, stage) => {
    const accepted = [...stage.participant.ledger.state.acceptedChanges.keys()]
    stage.later(1000, () => {
      for (const id of accepted) stage.participant.ledger.state.acceptedChanges.delete(id)
    })
  }),
}

/** Alters texts inside the payloads of commands; ids of templates, contracts and parties have none that would change. */
const payloads = (change: (text: string) => string): Doorkeeper =>
  alteringRequests([...submit, 'prepare'], (body) => {
    const altered = everywhere(body['commands'] ?? [], ['createArguments', 'choiceArgument', 'contractKey'], (value) =>
      everyText(value, change),
    )
    return 'commands' in body ? { ...body, commands: altered } : body
  })

const text = (name: string, sentence: string, change: (text: string) => string): Mutant => ({
  name,
  sentence,
  rule: 'EVT-CREATE-ARGUMENT',
  operation: 'submit-and-wait',
  shows: 'ledger',
  door: payloads((given) => (given.includes('::') ? given : change(given))),
})

const astral = /[\u{10000}-\u{10ffff}]/gu

const texts: Mutant[] = [
  text('texts-normalised', 'Text values are normalized to Unicode NFC.', (given) => given.normalize('NFC')),
  text('texts-cut', 'Text values are truncated to 255 characters.', (given) => given.slice(0, 255)),
  text('texts-trimmed', 'Whitespace at both ends of text values is removed.', (given) => given.trim()),
  text('texts-without-astral', 'Characters above U+FFFF are replaced by U+FFFD.', (given) =>
    given.replace(astral, '\ufffd'),
  ),
]

const disclosedIgnored: Mutant = {
  name: 'disclosed-contracts-ignored',
  sentence: 'Disclosed contracts are not used to resolve contract and contract-key lookups.',
  rule: 'SAW-DISCLOSED-CONTRACTS',
  operation: 'submit-and-wait',
  shows: 'refusal',
  door: alteringRequests(submit, (body) => ({ ...body, disclosedContracts: [] })),
}

/** Whether the commands do more on behalf of readers than exercise a contract by its id. */
const fetchesOrLooksUp = (commands: JsonValue | undefined): boolean =>
  [commands ?? []]
    .flat()
    .some(
      (command) =>
        isJsonObject(command) &&
        ('ExerciseByKeyCommand' in command || /fetch|look/i.test(JSON.stringify(command['ExerciseCommand'] ?? ''))),
    )

const readAsForExercisesAlone: Mutant = {
  name: 'read-as-for-exercises-alone',
  sentence: 'readAs applies to exercises by contract id only, not to fetches, lookups and exercises by key.',
  rule: 'SAW-READ-AS-ON-BEHALF',
  operation: 'submit-and-wait',
  shows: 'refusal',
  door: alteringRequests(submit, (body) => (fetchesOrLooksUp(body['commands']) ? { ...body, readAs: [] } : body)),
}

const oneSubmissionId: Mutant = {
  name: 'first-submission-id-reported',
  sentence: 'Each completion contains the submissionId of the first submission.',
  rule: 'SAW-SUBMISSION-ID-REPORTED',
  operation: 'submit-and-wait',
  shows: 'completion',
  door: (stage) => {
    let first: JsonValue | undefined
    return async (asked) => {
      if (asked.operation === 'submit-and-wait') first ??= bodyOf(asked)?.['submissionId']
      const told = await stage.ask(asked)
      if (asked.operation !== 'completions' || told.status !== 200 || first === undefined) return told
      const shown = first
      return { ...told, text: JSON.stringify(everywhere(JSON.parse(told.text), ['submissionId'], () => shown)) }
    }
  },
}

const anotherUser: Mutant = {
  name: 'another-user-used',
  sentence: 'If userId is omitted, the submission has a different user than the token.',
  rule: 'AUTH-USER-ID',
  operation: 'submit-and-wait',
  shows: 'completion',
  where: { authorization: true },
  door: (stage) => {
    const left = new Set<JsonValue | undefined>()
    return async (asked) => {
      const body = asked.operation === 'submit-and-wait' ? bodyOf(asked) : undefined
      if (body && (body['userId'] ?? '') === '') left.add(body['commandId'])
      const told = await stage.ask(asked)
      for (const { submission } of stage.participant.ledger.state.completions) {
        if (left.has(submission.commandId)) submission.userId = 'somebody-else'
      }
      return told
    }
  },
}

/** Operations whose bodies a lenient parser reads. */
const judged: readonly (KnownOperation | undefined)[] = [
  ...submit,
  'contract-by-id',
  'execute',
  'execute-and-wait-for-transaction',
  'update-package-vetting',
]

const anyBody: Mutant = {
  name: 'any-body-read',
  sentence: 'Bodies in JSON5, UTF-16 or gzip are accepted.',
  rule: 'GEN-JSON-BODY',
  operation: 'submit-and-wait',
  shows: 'acceptance',
  door:
    ({ ask }: Stage) =>
    (asked: Asked) =>
      ask(judged.includes(asked.operation) ? { ...asked, body: leniently(asked.body) } : asked),
}

function leniently(body: Buffer): Buffer {
  const whole = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body
  const isWide = whole.length > 1 && (whole[1] === 0 || whole[0] === 0xff)
  const written = isWide ? whole.toString('utf16le') : whole.toString('utf8')
  const plain = written
    .replace(/^\ufeff/, '')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/'([^'"\\]*)'/g, '"$1"')
    .replace(/([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)/g, '$1"$2"$3')
  return Buffer.from(plain, 'utf8')
}

export const otherSubmissions: readonly Mutant[] = [
  twice,
  shortDefault,
  forgetsAfterTwenty,
  forgetsAfterASecond,
  ...texts,
  disclosedIgnored,
  readAsForExercisesAlone,
  oneSubmissionId,
  anotherUser,
  anyBody,
]
