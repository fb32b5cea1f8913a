import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { variableIn } from '../../../lib/environment.js'
import { inputReason } from '../../../lib/files/file-errors.js'
import { descriptorOf } from '../../../lib/files/paths.js'
import { readInputText } from '../../../lib/files/read-input.js'
import {
  CredentialError,
  type CredentialOrigin,
  type CredentialSource,
  credentialProblem,
  tokenIn,
} from './credential-source.js'
import { claimsIn, HeldToken, lifeOf, systemClock } from './held-token.js'

/** Milliseconds. */
const timeLimit = 10_000

/**
 * A string runs in a shell. Discards standard error, which may contain a secret.
 * `folder`: the working directory. `limit`: milliseconds. The source runs the command again before the token expires.
 * @example
 * const source = commandToken(['get-token', '--user', 'alice'], '.')
 * await source.token() // 'eyJ…'; rejects with `CredentialError` after a failed command
 */
export function commandToken(
  command: string | readonly string[],
  folder: string,
  clock = systemClock,
  limit = timeLimit,
): CredentialSource {
  const [program = '', ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const name = typeof command === 'string' ? (command.split(' ')[0] ?? '') : program
  const source = { origin: 'token from a command', place: `token from the command ${name}` }
  const held = new HeldToken(async () => {
    const token = tokenIn(await output(program, words, { cwd: folder, timeout: limit }, source), source)
    return { token, seconds: lifeOf(token, clock.wall()) }
  }, clock)
  return { ...source, token: () => held.current() }
}

const output = (
  program: string,
  words: readonly string[],
  { cwd, timeout }: { cwd: string; timeout: number },
  source: CredentialOrigin,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 } as const
    execFile(program, words, { cwd, ...limits }, (error, stdout) => {
      if (!error) return resolve(stdout)
      const problem = error.killed
        ? `the command took more than ${timeout / 1000} s`
        : `the command ended with ${error.code ?? error.signal}`
      reject(credentialProblem(source, problem))
    })
  })

/** Another process renews the token. */
export function fileToken(path: string): CredentialSource {
  const source = { origin: 'token from a file', place: `token from the file ${path}` }
  let read: { version: string; token: string } | undefined
  return {
    ...source,
    token: async () => {
      try {
        const version = await versionOf(path)
        if (read?.version !== version) {
          const text = await readInputText(path, 'a key, token or secret')
          read = { version, token: tokenIn(text, source) }
        }
        return read.token
      } catch (error) {
        if (error instanceof CredentialError) throw error
        throw credentialProblem(source, `it cannot be read (${inputReason(error)})`)
      }
    },
  }
}

/** A pipe delivers its content once. */
async function versionOf(path: string): Promise<string> {
  if (descriptorOf(path) !== undefined) return path
  const { mtimeMs, size, ino } = await stat(path)
  return `${mtimeMs} ${size} ${ino}`
}

/** Throws `CredentialError`. */
export function fixedToken(text: string, origin: string, clock = systemClock): CredentialSource {
  const token = tokenIn(text, { origin })
  const { exp } = claimsIn(token) ?? {}
  // The monotonic clock is never set back.
  const endsAt = exp === undefined ? undefined : clock.elapsed() + exp * 1000 - clock.wall()
  return {
    origin,
    token: async () => {
      if (endsAt === undefined || clock.elapsed() < endsAt) return token
      throw new CredentialError(`${origin}: it has expired. Use a file, a command or OAuth2 to renew it.`)
    },
  }
}

/** Throws `CredentialError`. */
export function environmentToken(name: string, environment: NodeJS.ProcessEnv, clock = systemClock): CredentialSource {
  const origin = `token from the environment variable ${name}`
  const text = variableIn(environment, name)
  if (text === undefined) throw new CredentialError(`${origin}: it is not set`)
  return fixedToken(text, origin, clock)
}
