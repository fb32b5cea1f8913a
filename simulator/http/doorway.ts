/** The way of a call through the door of a participant, where somebody stands at it; otherwise straight to its operation. */
import { operations, supportOperations } from '../../interface/operations.js'
import type { Asked, KnownOperation, Told } from '../participant/door.js'
import type { Participant } from '../participant/participant.js'
import { type Answer, bytesOf, printBody } from './answer.js'
import type { RequestHead } from './call.js'
import type { Endpoint } from './endpoint.js'
import type { ArrivedRequest } from './middleware.js'
import { remark, remarkOn } from './remarks.js'
import { RequestAborted } from './request-body.js'

interface Arriving {
  request: ArrivedRequest
  /** Undefined: there is no such operation. */
  endpoint: Endpoint | undefined
  /** Rejects with `BodyTooLarge`, `RequestAborted`. */
  body(): Promise<Buffer>
  /** What is said where there is no such operation. */
  refuse(): Answer
}

/** Rejects with `RequestAborted`, and with nothing else. */
export type Doorway = (arriving: Arriving) => Promise<Answer>

/** What a call has brought along that nobody at the door can change. */
interface Arrived extends Asked {
  arriving: Arriving
}

const known = Object.entries({ ...operations, ...supportOperations }) as [
  KnownOperation,
  { method: string; path: string },
][] // the keys of the two tables

const nameOf = (method: string, path: string): KnownOperation | undefined =>
  known.find(([, operation]) => operation.method === method && operation.path === path)?.[0]

/** The participant's door, or no door at all. */
export function doorway(participant: Participant, endpoints: readonly Endpoint[]): Doorway {
  if (!participant.door) return straight(participant)
  const answers = new WeakMap<Told, Answer>()
  const later = (milliseconds: number, effect: () => unknown): void => {
    setTimeout(() => void Promise.resolve(effect()).catch(unlessLost), milliseconds).unref()
  }
  const ask = async (asked: Asked): Promise<Told> => {
    const answer = await behindTheDoor(asked, participant, endpoints)
    const told = toldBy(answer)
    answers.set(told, answer)
    return told
  }
  const keep = participant.door({ participant, ask, later })
  return async (arriving) => {
    const body = await arriving.body().catch((error: unknown) => {
      if (error instanceof RequestAborted) throw error
      return undefined
    })
    // What could not even be read is refused as ever.
    if (!body) return straight(participant)(arriving)
    const told = await keep(arrived(arriving, body))
    const { status, text, contentType: type, form } = told
    return answers.get(told) ?? { status, text, type, ...(form && { form }) }
  }
}

/** What happens later may meet a caller who has gone. */
function unlessLost(error: unknown): void {
  if (!(error instanceof RequestAborted)) throw error
}

const straight =
  (participant: Participant): Doorway =>
  async ({ request, endpoint, body, refuse }) =>
    endpoint ? endpoint.answer(request, participant, body) : refuse()

function arrived(arriving: Arriving, body: Buffer): Arrived {
  const { method, url, headers, socket } = arriving.request
  const [path = ''] = url.split('?')
  return {
    operation: nameOf(method, path),
    method,
    path: url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    body,
    connection: socket,
    arriving,
  }
}

/** A call that was changed at the door goes where its method and path lead now. */
async function behindTheDoor(asked: Asked, participant: Participant, endpoints: readonly Endpoint[]): Promise<Answer> {
  const { arriving } = asked as Arrived // at the door calls are changed, and never made up
  const { request } = arriving
  const isMoved = asked.path !== request.url || asked.method !== request.method
  const [path] = asked.path.split('?')
  const endpoint = isMoved
    ? endpoints.find((one) => one.path === path && one.method === asked.method.toLowerCase())
    : arriving.endpoint
  const head: RequestHead = { headers: asked.headers, url: asked.path, params: isMoved ? {} : request.params }
  if (!endpoint) return arriving.refuse()
  const answer = await endpoint.answer(head, participant, async () => asked.body)
  const why = remarkOn(head)
  if (why !== undefined) remark(request, why)
  return answer
}

function toldBy(answer: Answer): Told {
  const body = printBody(answer)
  const text = body ? (typeof body.content === 'string' ? body.content : bytesOf(body).toString('utf8')) : ''
  return { status: answer.status, contentType: body?.type ?? null, text }
}
