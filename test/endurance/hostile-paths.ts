/**
 * Commands with unusual paths end soon, with an exit code and no stack, and keep devices, pipes and links: `node
 * dist/test/endurance/hostile-paths.js [PATTERN]`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine } from '../support/processes/conform-process.js'
import { sampleRows, writeSample } from '../support/records/sample-record.js'
import { hugeFile, namedPipe, nullDevice } from '../support/records/special-files.js'
import { writeSuite } from '../support/suites/suite-folder.js'

const [pattern = ''] = process.argv.slice(2)
/** Milliseconds. */
const longest = 60_000
const folder = await mkdtemp(join(tmpdir(), 'hostile-paths-'))
const run = join(folder, 'run.ndjson')
await writeSample(run, sampleRows())
await writeSuite(join(folder, 'suite'))

/** New for each call, because a faulty program would destroy it. */
const kinds: Readonly<Record<string, (place: string) => string | Promise<string>>> = {
  empty: () => '',
  dash: () => '-',
  'a folder': () => folder,
  'the root': () => '/',
  'a pipe': (place) => namedPipe(place),
  'a device': (place) => nullDevice(place),
  'a link to a device': (place) => linked(place, '/dev/zero'),
  'a loop': (place) => linked(place, 'link'),
  'a dangling link': (place) => linked(place, 'missing/file'),
  'a socket': async (place) => {
    const server = createServer()
    const path = join(place, 'socket')
    await new Promise<void>((resolve) => server.listen(path, resolve))
    server.unref()
    return path
  },
  'below a file': () => join(run, 'below'),
  'a long name': (place) => join(place, 'x'.repeat(300)),
  'a long path': (place) => join(place, ...Array.from({ length: 60 }, () => 'y'.repeat(100))),
  'controls in a name': (place) => join(place, 'a\n\u001b[2Jb'),
  'a huge file': (place) => hugeFile(place, 9 * 1024 ** 3),
  'an empty file': (place) => hugeFile(place, 0),
  '/proc': () => '/proc/self/none',
  '/sys': () => '/sys/none',
  'standard input': () => '/dev/stdin',
}

async function linked(place: string, to: string): Promise<string> {
  await symlink(to, join(place, 'link'))
  return join(place, 'link')
}

const target = ['--target', 'http://127.0.0.1:9']
const calls: Readonly<Record<string, (path: string, work: string) => string[]>> = {
  'run --config': (path) => ['run', '--config', path, ...target],
  'run --waivers': (path) => ['run', '--waivers', path, ...target],
  'run --baseline': (path) => ['run', '--baseline', path, ...target],
  'run --failed-of': (path) => ['run', '--failed-of', path, ...target],
  'run --resume': (path) => ['run', '--resume', path],
  'run --suite': (path) => ['run', '--suite', path, ...target],
  'run --ca': (path) => ['run', '--ca', path, ...target],
  'run --client-key': (path) => ['run', '--client-key', path, '--client-certificate', path, ...target],
  'run --authorization rs256': (path) => ['run', '--authorization', `rs256:${path}`, ...target],
  'run --authorization hs256-file': (path) => ['run', '--authorization', `hs256-file:${path}`, ...target],
  'run --token file': (path) => ['run', '--token', `administrator=file:${path}`, ...target],
  'run --out': (path) => ['run', '--out', path, ...target],
  'certify --key': (path) => ['certify', '--signer', 'x', '--key', path, ...target],
  'verify bundle': (path) => ['verify', path],
  'verify --key': (path) => ['verify', folder, '--key', path],
  'report run': (path, work) => ['report', path, '--out', work],
  'report --out': (path) => ['report', run, '--out', path],
  'record run': (path) => ['record', path],
  'diff run': (path) => ['diff', path, run],
  'diff --out': (path) => ['diff', run, run, '--format', 'json', '--out', path],
  'merge run': (path, work) => ['merge', path, path, '--out', work],
  'compare folder': (path, work) => ['compare', path, '--out', join(work, 'page')],
  'compare --out': (path) => ['compare', run, '--out', path],
  'lint suite': (path) => ['lint', path],
  'list --suite': (path) => ['list', '--suite', path],
  'explore --replay': (path) => ['explore', '--replay', path],
  'simulate --data': (path) => ['simulate', '--port', '0', '--data', path],
  'simulate --data --save': (path) => ['simulate', '--port', '0', '--data', path, '--save'],
  'simulate --package': (path) => ['simulate', '--port', '0', '--package', path],
  'simulate --authorization': (path) => ['simulate', '--port', '0', '--authorization', `es256:${path}`],
}

interface Called {
  code: number | null
  output: string
  isEnded: boolean
}

async function called(options: readonly string[], cwd: string): Promise<Called> {
  const child = spawn(process.execPath, [...commandLine, ...options], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let output = ''
  let isEnded = true
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (/^http:\/\/\S+\n/m.test(output) && options[0] === 'simulate') child.kill('SIGTERM')
    })
  const timer = setTimeout(() => {
    isEnded = false
    child.kill('SIGKILL')
  }, longest)
  const [code] = (await once(child, 'close')) as [number | null] // the arguments of the event
  clearTimeout(timer)
  return { code, output, isEnded }
}

/** Must be unchanged after the call. */
const kindOf = async (path: string): Promise<string> => {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return 'nothing'
  const { mode, rdev } = found
  return found.isFile() ? 'a file' : `${(mode & 0o170000).toString(8)} ${rdev}`
}

const problemsOf = ({ code, output, isEnded }: Called, before: string, after: string): string[] => [
  ...(isEnded ? [] : ['the command does not end']),
  ...(code !== null && code !== 4 ? [] : [`exit ${code}`]),
  ...(/Internal error of conform|\n +at /.test(output) ? ['a stack'] : []),
  ...(/[^\P{Cc}\n\t]/u.test(output) ? ['control characters'] : []),
  ...(before === 'nothing' || before === 'a file' || before === after
    ? []
    : [`the path was ${before}, and is ${after}`]),
]

const waiting = Object.entries(calls)
  .filter(([name]) => name.includes(pattern))
  .flatMap(([name, call]) => Object.entries(kinds).map(([kind, make]) => ({ name, call, kind, make })))
  // Root could write there.
  .filter(({ name, kind }) => kind !== 'the root' || !name.includes('--out'))
const count = waiting.length
const codes = new Map<number | null, number>()
let bad = 0
async function work(index: number): Promise<void> {
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { name, call, kind, make } = next
    const place = join(folder, `work-${index}`)
    await mkdir(place)
    const path = await make(place)
    const before = await kindOf(path)
    const found = await called(call(path, join(place, 'results')), place)
    codes.set(found.code, (codes.get(found.code) ?? 0) + 1)
    const problems = problemsOf(found, before, await kindOf(path))
    if (problems.length > 0) bad += 1
    for (const problem of problems) console.log(`${name}, ${kind}: ${problem}\n${found.output.slice(0, 500)}`)
    await rm(place, { recursive: true, force: true })
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, (_, index) => work(index)))
await rm(folder, { recursive: true, force: true })
console.log(`${count} calls, ${bad} with problems; exits ${JSON.stringify([...codes].sort())}`)
process.exitCode = bad > 0 ? 1 : 0
