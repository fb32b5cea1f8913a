/** Equal seeds draw equal answers. */
import { createHash } from 'node:crypto'
import { operations, supportOperations } from '../../../interface/operations.js'
import type { Hostile, TrueAnswer } from './hostile-proxy.js'

export interface HostileAnswer {
  /** `INDEX: KIND at OPERATION`. */
  name: string
  path: string
  answer: Hostile
}

/** Integers below a limit. */
type Draw = (below: number) => number

export function drawFrom(seed: string): Draw {
  let counter = 0
  return (below) => {
    counter += 1
    return createHash('sha256').update(`${seed} ${counter}`).digest().readUInt32BE(0) % below
  }
}

const json = { 'content-type': 'application/json' }

const kinds: Readonly<Record<string, (draw: Draw) => Hostile>> = {
  mutated: (draw) => (truth, response) => {
    const changed = mutate(parse(truth), draw)
    response.writeHead(truth.status, truth.headers).end(JSON.stringify(changed))
  },
  'other type': (draw) => {
    const values = ['null', '[]', '{}', '7', '"text"', '""', 'true', '[[[[]]]]', '{"":{}}', '1e400', '-0']
    const body = values[draw(values.length)] ?? 'null'
    return (truth, response) => void response.writeHead(truth.status, json).end(body)
  },
  'no JSON': (draw) => {
    const bodies = ['', ' ', '<html>', '{', '{"a":1}{"b":2}', '\ufeff{}', 'NaN', "{'a':1}", '\u0000', '[1,]']
    const body = bodies[draw(bodies.length)] ?? ''
    return (truth, response) => void response.writeHead(truth.status, json).end(body)
  },
  bytes: (draw) => {
    const body = Buffer.from(Array.from({ length: 1 + draw(4000) }, () => draw(256)))
    return (truth, response) => void response.writeHead(truth.status, json).end(body)
  },
  'cut off': (draw) => {
    const part = draw(100) / 100
    return (truth, response) =>
      void response.writeHead(truth.status, json).end(truth.body.subarray(0, Math.floor(truth.body.length * part)))
  },
  'long text': (draw) => {
    const length = (1 + draw(12)) * 1024 * 1024
    return (truth, response) => {
      const changed = mutate(parse(truth), draw, 'x'.repeat(length))
      response.writeHead(truth.status, json).end(JSON.stringify(changed))
    }
  },
  'too long': () => (truth, response) =>
    void response.writeHead(truth.status, json).end(Buffer.alloc(24 * 1024 * 1024, '[')),
  'many members': (draw) => {
    const count = 100_000 + draw(200_000)
    return (truth, response) => {
      const members = Array.from({ length: count }, (_, index) => `"m${index}":[]`).join(',')
      response.writeHead(truth.status, json).end(`{${members}}`)
    }
  },
  'deep nesting': (draw) => {
    const depth = 1000 * (1 + draw(500))
    return (truth, response) => void response.writeHead(truth.status, json).end('['.repeat(depth) + ']'.repeat(depth))
  },
  'tokens without end': (draw) => {
    const length = (1 + draw(4)) * 1024 * 1024
    return (truth, response) => void response.writeHead(truth.status, json).end(`"${'eyJ'.repeat(length / 3)}"`)
  },
  hanging: () => () => undefined,
  'hanging body': () => (truth, response) => {
    response.writeHead(truth.status, json).write('{"a":')
  },
  dripping: () => (truth, response, socket) => {
    response.writeHead(truth.status, json)
    const timer = setInterval(() => response.write(' '), 20)
    socket.on('close', () => clearInterval(timer))
  },
  reset: () => (_, __, socket) => void socket.resetAndDestroy(),
  'reset in the body': () => (truth, response, socket) => {
    response.writeHead(truth.status, { ...json, 'content-length': '1000' }).write('{"a":', () => socket.destroy())
  },
  'other status': (draw) => {
    const statuses = [
      100, 204, 206, 301, 304, 307, 400, 401, 403, 404, 408, 413, 418, 429, 500, 501, 502, 503, 504, 599, 999,
    ]
    const status = statuses[draw(statuses.length)] ?? 500
    return (truth, _, socket) => {
      const head = `HTTP/1.1 ${status} x\r\nlocation: /\r\ncontent-type: application/json\r\nconnection: close\r\n`
      socket.end(`${head}content-length: ${truth.body.length}\r\n\r\n${truth.body.toString('latin1')}`)
    }
  },
  'come back later': (draw) => {
    const value = ['0', '1', '999999', '-1', 'soon', 'Wed, 21 Oct 2099 07:28:00 GMT'][draw(6)] ?? '0'
    return (_, response) => void response.writeHead(429, { ...json, 'retry-after': value }).end('{}')
  },
  'no HTTP': (draw) => {
    const texts = [
      'garbage\r\n\r\n',
      'HTTP/1.1 200',
      'HTTP/9.9 200 OK\r\n\r\n',
      'HTTP/1.1 abc OK\r\n\r\n',
      '\u0000\u0000\u0000',
      '\r\n'.repeat(50),
    ]
    const text = texts[draw(texts.length)] ?? ''
    return (_, __, socket) => void socket.end(text)
  },
  'wrong length': (draw) => {
    const length = ['0', '1', '999999', '-5', 'many', '99999999999999999999'][draw(6)] ?? '0'
    return (_, __, socket) =>
      void socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"a":1}`)
  },
  'large headers': (draw) => {
    const count = 1 + draw(200)
    return (truth, _, socket) => {
      const lines = Array.from({ length: count }, (_, index) => `x-${index}: ${'y'.repeat(900)}\r\n`).join('')
      socket.end(
        `HTTP/1.1 200 OK\r\n${lines}content-length: ${truth.body.length}\r\n\r\n${truth.body.toString('latin1')}`,
      )
    }
  },
  'false encoding': (draw) => {
    const encoding = ['gzip', 'br', 'chunked', 'no-such'][draw(4)] ?? 'gzip'
    return (truth, response) => void response.writeHead(200, { ...json, 'content-encoding': encoding }).end(truth.body)
  },
  'bad chunks': (draw) => {
    const chunk = ['zz\r\n{}\r\n', 'fffffffffffffffff\r\n{}\r\n', '2\r\n{}', '-1\r\n{}\r\n'][draw(4)] ?? ''
    return (_, __, socket) => void socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`)
  },
  'terminal controls': () => (truth, response) => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202e<script>alert(1)</script>'
    response.writeHead(truth.status, json).end(JSON.stringify(mutate(parse(truth), () => 0, hostile)))
  },
}

const targets = Object.values({ ...operations, ...supportOperations }).filter(({ method }) => method !== 'DELETE')

/** Each kind in turn, at a drawn operation. */
export function hostileAnswers(seed: string, count: number): HostileAnswer[] {
  const draw = drawFrom(seed)
  const makers = Object.entries(kinds)
  return Array.from({ length: count }, (_, index) => {
    const [kind, make] = makers[index % makers.length] ?? ['mutated', kinds['mutated']]
    const { name, path } = targets[draw(targets.length)] ?? operations['submit-and-wait']
    const own = drawFrom(`${seed} ${index}`)
    return { name: `${index}: ${kind} at ${name}`, path, answer: make?.(own) ?? (() => undefined) }
  })
}

function parse({ body }: TrueAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return {}
  }
}

function mutate(value: unknown, draw: Draw, given?: string): unknown {
  const others = [null, 7, -1, '', 'x', [], {}, true, '\ud800', 1e308, 'a'.repeat(5000)]
  const other = given ?? others[draw(others.length)]
  if (Array.isArray(value) && value.length > 0 && draw(4) > 0) {
    const at = draw(value.length)
    return value.map((item, index) => (index === at ? mutate(item, draw, given) : item))
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0 &&
    draw(6) > 0
  ) {
    const entries = Object.entries(value)
    const at = draw(entries.length)
    if (given === undefined && draw(4) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at))
    return Object.fromEntries(
      entries.map(([name, item], index) => [name, index === at ? mutate(item, draw, given) : item]),
    )
  }
  return other
}
