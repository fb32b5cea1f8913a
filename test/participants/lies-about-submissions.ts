/** Participants that take another submission than the one that was sent. */
import { gunzipSync } from 'node:zlib'
import { isJsonObject, type JsonValue } from '../../interface/json.js'
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
import type { Asked, Lie, OperationName, Stage } from './stage.js'

const submit = ['submit-and-wait'] as const

const twice: Lie = {
  name: 'committed-twice',
  sentence: 'A submission is committed twice, the second time under another command id.',
  rules: ['SAW-PURPOSE', 'SAW-UPDATE-ID'],
  tell: afterwards(submit, async (asked, told, stage) => {
    if (told.status !== 200) return
    await stage.ask(withBody(asked, { ...bodyOf(asked), commandId: freshId('again'), submissionId: '' }))
  }),
}

const shortDefault: Lie = {
  name: 'deduplication-default-of-a-second',
  sentence: 'Without a deduplication period a change is remembered for one second.',
  rules: ['SAW-DEDUPLICATION-DEFAULT'],
  tell: alteringRequests(submit, (body) => ({
    ...body,
    deduplicationPeriod: body['deduplicationPeriod'] ?? { DeduplicationDuration: { value: { seconds: 1, nanos: 0 } } },
  })),
}

/** Forgets accepted changes as soon as `isOld` says so of the number of changes that came after it. */
const forgetting =
  (isOld: (later: number) => boolean): Lie['tell'] =>
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

const forgetsAfterTwenty: Lie = {
  name: 'deduplication-forgets-after-twenty',
  sentence: 'A change is forgotten after twenty others.',
  rules: ['SAW-DEDUPLICATION-WINDOW', 'SAW-DEDUPLICATION-DEFAULT'],
  // So many that others come in between.
  met: /^SAW-(?:REMEMBERED|TEXT-KEPT|WINDOW|DUPLICATE|DEDUPLICATION-PERIOD|COMPLETION|REPORTED|LOOKED-UP|SUBMISSION-ID|WORKFLOW-ID|RACE.*)\//,
  tell: forgetting((later) => later >= 20),
}

const forgetsAfterASecond: Lie = {
  name: 'deduplication-forgets-after-a-second',
  sentence: 'A change is forgotten after a second, whatever period was asked for.',
  rules: ['SAW-DEDUPLICATION-WINDOW', 'SAW-DEDUPLICATION-DURATION'],
  tell: afterwards([...submit, 'execute', 'execute-and-wait-for-transaction'], (_asked, _told, stage) => {
    const accepted = [...stage.participant.ledger.state.acceptedChanges.keys()]
    stage.later(1000, () => {
      for (const id of accepted) stage.participant.ledger.state.acceptedChanges.delete(id)
    })
  }),
}

/** Alters texts inside the payloads of commands; ids of templates, contracts and parties have none that would change. */
const payloads = (change: (text: string) => string): Lie['tell'] =>
  alteringRequests([...submit, 'prepare'], (body) => {
    const altered = everywhere(body['commands'] ?? [], ['createArguments', 'choiceArgument', 'contractKey'], (value) =>
      everyText(value, change),
    )
    return 'commands' in body ? { ...body, commands: altered } : body
  })

const text = (name: string, sentence: string, change: (text: string) => string): Lie => ({
  name,
  sentence,
  rules: ['EVT-CREATE-ARGUMENT', 'GEN-ANY-VALUE'],
  tell: payloads((given) => (given.includes('::') ? given : change(given))),
})

const astral = /[\u{10000}-\u{10ffff}]/gu

const texts: Lie[] = [
  text('texts-normalised', 'Texts are stored in Unicode normal form C.', (given) => given.normalize('NFC')),
  text('texts-cut', 'Texts are cut after 255 characters.', (given) => given.slice(0, 255)),
  text('texts-trimmed', 'Blanks at the ends of texts are lost.', (given) => given.trim()),
  text('texts-without-astral', 'Characters beyond U+FFFF are replaced by U+FFFD.', (given) =>
    given.replace(astral, '\ufffd'),
  ),
]

const disclosedIgnored: Lie = {
  name: 'disclosed-contracts-ignored',
  sentence: 'Disclosed contracts are not used to resolve contracts and keys.',
  rules: ['SAW-DISCLOSED-CONTRACTS', 'SAW-DISCLOSED-KEYS'],
  tell: alteringRequests(submit, (body) => ({ ...body, disclosedContracts: [] })),
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

const readAsForExercisesAlone: Lie = {
  name: 'read-as-for-exercises-alone',
  sentence: 'readAs counts for exercises by contract id, not for fetches, lookups and exercises by key.',
  rules: ['SAW-READ-AS-ON-BEHALF', 'SAW-READ-AS-VISIBILITY'],
  tell: alteringRequests(submit, (body) => (fetchesOrLooksUp(body['commands']) ? { ...body, readAs: [] } : body)),
}

const oneSubmissionId: Lie = {
  name: 'first-submission-id-reported',
  sentence: 'All completions tell the submission id of the first submission.',
  rules: ['SAW-SUBMISSION-ID-REPORTED'],
  tell: (stage) => {
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

const anotherUser: Lie = {
  name: 'another-user-used',
  sentence: 'Where the user id is left out, the submission runs under another user than the one of the token.',
  rules: ['AUTH-USER-ID', 'SAW-USER-ID-REQUIRED'],
  authorization: true,
  tell: (stage) => {
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
const judged: readonly (OperationName | undefined)[] = [
  ...submit,
  'contract-by-id',
  'execute',
  'execute-and-wait-for-transaction',
  'update-package-vetting',
]

const anyBody: Lie = {
  name: 'any-body-read',
  sentence: 'Bodies are read as JSON5, UTF-16 or gzip, too.',
  rules: ['GEN-JSON-BODY'],
  tell:
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

export const liesAboutSubmissions: readonly Lie[] = [
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
