import type { Data, Matcher, Place, RawRequest, Step, StepVerdict } from '../suite/suite.js'
import {
  dataOf,
  entriesOf,
  given,
  itemsOf,
  type Located,
  member,
  optionalNumber,
  optionalText,
  textOf,
} from './located.js'
import { readMatchers } from './read-matcher.js'
import { readStatus } from './read-outcome.js'
import { type Reading, refer } from './reading.js'
import { type SequenceStep, usesIn } from './sequence.js'

/** What a step, a case with a request, or a row says of an exchange; a row says only what differs. */
export interface StepParts {
  name?: string
  as?: string
  token?: string
  edit: Map<string, Data>
  remove: string[]
  raw?: RawRequest
  capture: Map<string, string>
  outcome?: NonNullable<StepVerdict['outcome']>
  status?: string[]
  headers: Map<string, Matcher>
  body: Map<string, Matcher>
  schema?: boolean
  eventually?: number
  race?: NonNullable<Step['race']>
}

export function readStepParts(node: Located, reading: Reading): StepParts {
  const expect = member(node, 'expect')
  const schema = expect && member(expect, 'schema')?.content
  return {
    ...given({
      name: optionalText(node, 'name'),
      as: refer(reading, 'actor', member(node, 'as')),
      token: refer(reading, 'token', member(node, 'token')),
      raw: readRaw(member(node, 'send'), reading),
      outcome: readOutcome(node, reading),
      status: expect && readStatus(member(expect, 'status')),
      schema: typeof schema === 'boolean' ? schema : undefined,
      eventually: optionalNumber(node, 'eventually'),
      race: readRace(node, reading),
    }),
    edit: new Map(entriesOf(member(node, 'edit')).map(({ name, value }) => [name, dataOf(value)])),
    remove: itemsOf(member(node, 'remove')).map(textOf),
    capture: new Map(entriesOf(member(node, 'capture')).map(({ name, value }) => [name, textOf(value)])),
    headers: lowerCase(readMatchers(expect && member(expect, 'headers'), reading)),
    body: readMatchers(expect && member(expect, 'body'), reading),
  }
}

/** A step with all that it needs, before it is complete: a row may still be merged into it. */
export interface StepText extends StepParts {
  name: string
  request: string
  place: Place
}

export function toStep(text: StepText): Step {
  const { name, request, edit, remove, capture, outcome, headers, body, schema, place } = text
  const found = {
    status: text.status,
    headers: headers.size > 0 ? headers : undefined,
    body: body.size > 0 ? body : undefined,
  }
  return {
    name,
    request,
    ...given({ as: text.as, token: text.token, raw: text.raw, eventually: text.eventually, race: text.race }),
    edit,
    remove,
    capture,
    verdict: { outcome, expect: { ...given(found), schema: schema ?? true } },
    place,
  }
}

/** Whether anything at all is expected: that the body fits its description goes without saying. */
export function expectsSomething({ verdict: { outcome, expect } }: Step): boolean {
  return (
    outcome !== undefined || expect.status !== undefined || expect.headers !== undefined || expect.body !== undefined
  )
}

/** The variables that a step (or a case, or a row) uses and captures. */
export function sequenceStep(node: Located): SequenceStep {
  const send = member(node, 'send')
  const request = member(node, 'request')
  const ownBody = send !== undefined && (member(send, 'text') ?? member(send, 'base64')) !== undefined
  return {
    ...(request && !ownBody && { request: { name: textOf(request), place: request.place } }),
    uses: [...usesIn(member(node, 'edit')), ...usesIn(send)],
    ...(member(node, 'race') && { repeated: true }),
    captures: entriesOf(member(node, 'capture')).map(({ name, key }) => ({ name, place: key })),
    judging: usesIn(member(node, 'expect')),
  }
}

function readOutcome(node: Located, reading: Reading): StepVerdict['outcome'] {
  const accepted = member(node, 'accepted')
  const refused = member(node, 'refused')
  if (accepted && refused)
    reading.findings.add(accepted.place, 'a request is either accepted or refused, not both', 'leave one of them out')
  if (refused) return { refused: refer(reading, 'condition', refused) }
  return accepted && { accepted: true }
}

function readRace(node: Located, reading: Reading): Step['race'] {
  const race = member(node, 'race')
  if (!race) return undefined
  if (!member(node, 'accepted'))
    reading.findings.add(race.place, 'somebody wins a race', 'say "accepted: true" beside it: that is the winner')
  const others = member(race, 'others')
  return { times: optionalNumber(race, 'times') ?? 0, others: others ? refer(reading, 'condition', others) : '' }
}

function readRaw(node: Located | undefined, reading: Reading): RawRequest | undefined {
  if (!node) return undefined
  const headers = member(node, 'headers')
  const base64 = member(node, 'base64')
  if (base64 && member(node, 'text'))
    reading.findings.add(base64.place, 'the body is sent as text or as base64, not both', 'leave one of them out')
  return given({
    method: optionalText(node, 'method'),
    path: optionalText(node, 'path'),
    headers: headers && readHeaders(headers),
    text: optionalText(node, 'text'),
    base64: base64 && textOf(base64),
  })
}

const readHeaders = (node: Located): Record<string, string | null> =>
  Object.fromEntries(
    entriesOf(node).map(({ name, value }) => [name.toLowerCase(), value.content === null ? null : textOf(value)]),
  )

const lowerCase = (matchers: Map<string, Matcher>): Map<string, Matcher> =>
  new Map([...matchers].map(([name, matcher]) => [name.toLowerCase(), matcher]))
