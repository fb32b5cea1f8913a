/**
 * A participant that lies: an honest simulator in this process, and before it a server that alters what is asked and answered,
 * or what the simulator remembers. A suite that is run against its URL should find it out.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { operations, supportOperations } from '../../interface/operations.js'
import type { Participant } from '../../simulator/participant/participant.js'
import { createParticipant, type SimulatorOptions, serve } from '../../simulator/simulator.js'
import { listen } from '../raw-target.js'
import { connect } from '../wire.js'

/** What ends with a test. */
export type Scope = Pick<Test, 'teardown'>

export type OperationName = keyof typeof operations | keyof typeof supportOperations

export interface Asked {
  /** Undefined: none of those that are known by name. */
  operation: OperationName | undefined
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  /** The same object for all requests of one connection. */
  connection: object
}

export interface Told {
  status: number
  contentType: string | null
  text: string
}

/** What a lie has to work with. */
export interface Stage {
  /** The honest participant; a lie may change what it remembers. */
  participant: Participant
  /** What the honest participant says. */
  ask(asked: Asked): Promise<Told>
  /** Has something done after so many milliseconds, if the test still goes on then. */
  later(milliseconds: number, effect: () => unknown): void
}

export interface Lie {
  /** For titles and for the command line: lower case, with hyphens. */
  name: string
  /** What such a participant does, as one sentence about it. */
  sentence: string
  /** Ids of the rules that it breaks: rows that cite one of them should fail. */
  rules: readonly string[]
  /** Ids of the rows that can meet it, where those that cite its rules are not those. */
  met?: RegExp
  /** It shows where tokens are asked for, and nowhere else. */
  authorization?: true
  /** Called once for each participant, so that what a lie remembers is its own. */
  tell(stage: Stage): (asked: Asked) => Promise<Told>
}

export interface LyingParticipant {
  /** Base URL, without a slash at the end. */
  url: string
  /** Resolves when everything that was to happen later has happened. */
  settled(): Promise<void>
}

/** Starts a participant that tells the lie until the test ends; by default it is the embedded simulator otherwise. */
export async function lyingParticipant(t: Scope, lie: Lie, options: SimulatorOptions = {}): Promise<LyingParticipant> {
  const participant = await createParticipant(options)
  const honest = await serve(participant, options)
  const wire = connect(honest.url, 64)
  const effects = new Effects()
  t.teardown(async () => {
    effects.cancel()
    await honest.close()
    await wire.close()
  })
  const ask = async ({ method, path, headers, body }: Asked): Promise<Told> => {
    const empty = body.length === 0
    const { status, contentType, text } = await wire.send({ method, path, headers, ...(!empty && { body }) })
    return { status, contentType, text }
  }
  const answer = lie.tell({ participant, ask, later: (milliseconds, effect) => effects.add(milliseconds, effect) })
  const server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const { status, contentType, text } = await answer(await read(request))
      const bytes = Buffer.from(text, 'utf8')
      response.writeHead(status, {
        ...(contentType && { 'content-type': contentType }),
        'content-length': bytes.length,
      })
      response.end(request.method === 'HEAD' ? undefined : bytes)
    }
    // Whoever went away is not answered, and a simulator that has ended answers nobody.
    reply().catch(() => response.destroy())
  })
  return { url: await listen(t, server), settled: () => effects.settled() }
}

/** Headers of one connection, which the next one has by itself. */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive'])

async function read(request: IncomingMessage): Promise<Asked> {
  const { method = 'GET', url: path = '/', headers, socket } = request
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  return {
    operation: operationAt(method, path),
    method,
    path,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, [value ?? ''].flat().join(', ')])),
    body: await buffer(request),
    connection: socket,
  }
}

const named = Object.entries({ ...operations, ...supportOperations }) as [
  OperationName,
  { method: string; path: string },
][] // the keys of the two tables

function operationAt(method: string, path: string): OperationName | undefined {
  const [bare = ''] = path.split('?')
  return named.find(([, operation]) => operation.method === method && operation.path === bare)?.[0]
}

/** What is to happen later, and how many of it are still to come. */
class Effects {
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<unknown>>()
  #waiting: (() => void)[] = []

  add(milliseconds: number, effect: () => unknown): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const running = (async () => effect())().catch(() => undefined)
      this.#running.add(running)
      void running.then(() => {
        this.#running.delete(running)
        this.#tell()
      })
    }, milliseconds)
    this.#timers.add(timer)
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#tell()
    })
  }

  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #tell(): void {
    if (this.#timers.size + this.#running.size > 0) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }
}
