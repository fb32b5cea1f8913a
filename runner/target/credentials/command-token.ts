import { execFile } from 'node:child_process'
import { type CredentialSource, credentialProblem, tokenIn } from './credential-source.js'
import { type Clock, HeldToken, lifeOf } from './held-token.js'

/** Milliseconds. */
const timeLimit = 10_000

/** A string runs in a shell. Discards standard error, which may contain a secret. */
export function commandToken(
  command: string | readonly string[],
  folder: string,
  clock: Clock,
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
  source: Omit<CredentialSource, 'token'>,
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
