/** Participants whose reads hide facts, alone and together with a fault that only these reads would show. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { Interceptor, KnownOperation, Stage } from '../../simulator/participant/participant.js'
import { changeMembers, listOf } from '../interceptors/bodies.js'
import { alterAnswers, combineInterceptors } from '../interceptors/interceptors.js'
import { exe, saw, vet } from '../interceptors/names.js'
import { faults } from './cheating.js'
import { fault, findNamed, type Mutant } from './mutant.js'
import { wrongVetting } from './vetting.js'

/** Changes an answer. `question`: the body of its request. */
type Reading = (answer: JsonValue, question: string, stage: Stage) => JsonValue

/** Each participant has its own state. */
const reading =
  (operation: KnownOperation, create: () => Reading): Interceptor =>
  (stage) => {
    const read = create()
    return alterAnswers([operation], (answer, request) => read(answer, printJson(request), stage))(stage)
  }

const items = (operation: KnownOperation, keep: (item: JsonValue, seen: number) => boolean): Interceptor =>
  reading(operation, () => {
    const seen = new Map<string, number>()
    return (answer) =>
      listOf(answer).filter((item) => {
        const text = printJson(item)
        if (!seen.has(text)) seen.set(text, seen.size + 1)
        return keep(item, seen.get(text) ?? 0)
      })
  })

/** The state at the first request of any operation. */
const frozen =
  (operation: KnownOperation, offsetIn: (item: JsonValue) => unknown): Interceptor =>
  (stage) => {
    let end: number | undefined
    const read = alterAnswers([operation], (answer) =>
      listOf(answer).filter((item) => end === undefined || Number(offsetIn(item)) <= end),
    )(stage)
    return (request) => {
      end ??= stage.participant.ledger.end
      return read(request)
    }
  }

/** The answer that the same request received `milliseconds` ago, or the first one. */
const delayed = (operation: KnownOperation, milliseconds: number): Interceptor =>
  reading(operation, () => {
    const answers = new Map<string, { at: number; answer: JsonValue }[]>()
    return (answer, question) => {
      const now = performance.now()
      const known = [...(answers.get(question) ?? []), { at: now, answer }]
      answers.set(question, known)
      return (known.findLast(({ at }) => at <= now - milliseconds) ?? known[0])?.answer ?? answer
    }
  })

const offsetOfUpdate = (item: JsonValue): unknown => valueAt(item, '/update/Transaction/value/offset')
const offsetOfCompletion = (item: JsonValue): unknown => valueAt(item, '/completionResponse/Completion/value/offset')
const offsetOfCreation = (item: JsonValue): unknown =>
  valueAt(item, '/contractEntry/JsActiveContract/createdEvent/offset')

const isRecent = (item: JsonValue, member: string): boolean => {
  const [, time = ''] = new RegExp(`"${member}":"([^"]*)"`).exec(printJson(item)) ?? []
  return Date.now() - Date.parse(time) < 60_000
}

const mentions = (item: JsonValue, text: string): boolean => printJson(item).includes(text)

interface FaultyRead {
  name: string
  sentence: string
  interceptor: Interceptor
}

const firstPage = (operation: KnownOperation): Interceptor =>
  reading(operation, () => (answer) => listOf(answer).slice(0, 5))

const ofUpdates: readonly FaultyRead[] = [
  { name: 'updates-dead', sentence: 'Updates are always empty', interceptor: reading('updates', () => () => []) },
  {
    name: 'updates-frozen',
    sentence: 'Updates show no transaction after the first request',
    interceptor: frozen('updates', offsetOfUpdate),
  },
  {
    name: 'updates-late',
    sentence: 'Updates show transactions after a minute',
    interceptor: items('updates', (item) => !isRecent(item, 'recordTime')),
  },
  {
    name: 'updates-without-one-in-ten',
    sentence: 'Updates hide every tenth transaction',
    interceptor: items('updates', (_, seen) => seen % 10 !== 0),
  },
  {
    name: 'updates-without-creations',
    sentence: 'Updates hide transactions that create contracts',
    interceptor: items('updates', (item) => !mentions(item, 'CreatedEvent')),
  },
  {
    name: 'updates-without-a-party',
    sentence: 'Updates hide transactions of the first party',
    interceptor: items('updates', (item) => !mentions(item, '"alice-')),
  },
  {
    name: 'updates-in-short-pages',
    sentence: 'Updates show at most five transactions for each request, whatever the limit',
    interceptor: firstPage('updates'),
  },
  {
    name: 'updates-without-the-first-of-a-page',
    sentence: 'Updates omit the first transaction of each page',
    interceptor: reading('updates', () => (answer) => listOf(answer).slice(1)),
  },
  {
    name: 'updates-shown-twice',
    sentence: 'Updates show each transaction twice',
    interceptor: reading('updates', () => (answer) => listOf(answer).flatMap((item) => [item, item])),
  },
]

const ofLedgerEnd: readonly FaultyRead[] = [
  {
    name: 'ledger-end-frozen',
    sentence: 'The ledger end remains that of the first request',
    interceptor: delayed('ledger-end', Number.POSITIVE_INFINITY),
  },
  {
    name: 'ledger-end-late',
    sentence: 'The ledger end is that of ten seconds ago',
    interceptor: delayed('ledger-end', 10_000),
  },
  {
    name: 'ledger-end-ahead',
    sentence: 'The ledger end is a thousand offsets ahead',
    interceptor: reading(
      'ledger-end',
      () => (answer) => changeMembers(answer, ['offset'], (end) => Number(end) + 1000),
    ),
  },
]

const ofCompletions: readonly FaultyRead[] = [
  {
    name: 'completions-dead',
    sentence: 'Completions are always empty',
    interceptor: reading('completions', () => () => []),
  },
  {
    name: 'completions-frozen',
    sentence: 'Completions show no submission after the first request',
    interceptor: frozen('completions', offsetOfCompletion),
  },
  {
    name: 'completions-late',
    sentence: 'Completions show a submission after a minute',
    interceptor: items('completions', (item) => !isRecent(item, 'recordTime')),
  },
  {
    name: 'completions-without-every-third',
    sentence: 'Completions hide every third submission',
    interceptor: items('completions', (_, seen) => seen % 3 !== 0),
  },
  {
    name: 'completions-without-the-first-of-a-page',
    sentence: 'Completions omit the first submission of each page',
    interceptor: reading('completions', () => (answer) => listOf(answer).slice(1)),
  },
]

const ofActiveContracts: readonly FaultyRead[] = [
  {
    name: 'active-contracts-dead',
    sentence: 'Active contracts are always empty',
    interceptor: reading('active-contracts', () => () => []),
  },
  {
    name: 'active-contracts-frozen',
    sentence: 'Active contracts lack those created after the first request',
    interceptor: frozen('active-contracts', offsetOfCreation),
  },
  {
    name: 'active-contracts-late',
    sentence: 'Active contracts lack those of the last minute',
    interceptor: items('active-contracts', (item) => !isRecent(item, 'createdAt')),
  },
  {
    name: 'active-contracts-without-one-in-ten',
    sentence: 'Active contracts hide every tenth contract',
    interceptor: items('active-contracts', (_, seen) => seen % 10 !== 0),
  },
  {
    name: 'active-contracts-in-short-pages',
    sentence: 'Active contracts show only the first five contracts, whatever the limit',
    interceptor: firstPage('active-contracts'),
  },
]

const ofVettedPackages: readonly FaultyRead[] = [
  {
    name: 'vetted-packages-dead',
    sentence: 'The list of vetted packages is always empty',
    interceptor: reading('list-vetted-packages', () => (answer) => changeMembers(answer, ['packages'], () => [])),
  },
  {
    name: 'vetted-packages-frozen',
    sentence: 'The list of vetted packages remains that of the first request',
    interceptor: delayed('list-vetted-packages', Number.POSITIVE_INFINITY),
  },
  {
    name: 'vetted-packages-late',
    sentence: 'The list of vetted packages is that of ten seconds ago',
    interceptor: delayed('list-vetted-packages', 10_000),
  },
  {
    name: 'vetted-packages-without-bounds',
    sentence: 'The list of vetted packages hides packages with validity bounds',
    interceptor: reading(
      'list-vetted-packages',
      () => (answer) =>
        changeMembers(answer, ['packages'], (list) =>
          listOf(list).filter((one) => !/"valid\w+":"/.test(printJson(one))),
        ),
    ),
  },
  {
    name: 'vetted-packages-in-short-pages',
    sentence: 'The list of vetted packages shows only the first package',
    interceptor: reading(
      'list-vetted-packages',
      () => (answer) => changeMembers(answer, ['packages'], (list) => listOf(list).slice(0, 1)),
    ),
  },
]

type Broken = Pick<Mutant, 'operation' | 'rule' | 'shows'>

interface Together extends Broken {
  sentence: string
  interceptor: Interceptor | undefined
}

const mutantsOf = (reads: readonly FaultyRead[], alone: Broken, together: Together): Mutant[] =>
  reads.flatMap(({ name, sentence, interceptor }) => [
    { name, sentence: `${sentence}.`, ...alone, interceptor },
    {
      ...together,
      name: `${name}-with-a-fault`,
      sentence: `${sentence}, and ${together.sentence}.`,
      interceptor: combineInterceptors([...(together.interceptor ? [together.interceptor] : []), interceptor]),
    },
  ])

const ofRejections = fault(saw, 'GEN-NO-EFFECT', 'reads')

export const faultyReadMutants: readonly Mutant[] = [
  ...mutantsOf(ofUpdates, ofRejections, {
    ...ofRejections,
    sentence: 'rejected submissions commit',
    interceptor: faults['rejected-and-committed'],
  }),
  ...mutantsOf(ofLedgerEnd, ofRejections, {
    ...ofRejections,
    sentence: 'rejected submissions commit later',
    interceptor: faults['rejected-and-committed-late'],
  }),
  ...mutantsOf(ofCompletions, fault(exe, 'EXE-PURPOSE', 'reads'), {
    ...fault(exe, 'EXE-PURPOSE', 'reads'),
    sentence: 'every third accepted execution is lost',
    interceptor: faults['lost-executions'],
  }),
  ...mutantsOf(ofActiveContracts, ofRejections, {
    ...ofRejections,
    sentence: 'rejected submissions commit and are hidden from updates',
    interceptor: faults['rejected-and-hidden'],
  }),
  ...mutantsOf(ofVettedPackages, fault(vet, 'VET-PURPOSE', 'reads'), {
    ...fault(vet, 'VET-DRY-RUN-NO-EFFECT', 'reads'),
    sentence: 'dry runs are applied',
    interceptor: findNamed('mutant', 'dry-run-applied-50', wrongVetting).interceptor,
  }),
]
