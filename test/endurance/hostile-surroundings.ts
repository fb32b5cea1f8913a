/**
 * Commands in a removed, unreadable, full or read-only working directory, and with few open files, end soon, with an exit
 * code and no stack: `node dist/test/endurance/hostile-surroundings.js [PATTERN]`. Needs Linux, and permission for mounts
 * (root, or `unshare --map-root-user`).
 */
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { commandLine, endOf } from '../support/processes/conform-process.js'
import { sampleRows, writeSample } from '../support/records/sample-record.js'
import { lookupRows, writeLookupSuite } from '../support/suites/lookup-suite.js'

const [pattern = ''] = process.argv.slice(2)
/** Seconds. */
const longest = 60
const folder = await mkdtemp(join(tmpdir(), 'hostile-surroundings-'))
const given = join(folder, 'given')
await mkdir(join(given, 'suite'), { recursive: true })
await writeLookupSuite(join(given, 'suite'))
await writeSample(join(given, 'run.ndjson'), sampleRows())
await keyFiles(given, 'signer')

/** A shell line before the command; `$PLACE` is an own folder with the given files. */
const surroundings: Readonly<Record<string, string>> = {
  'a removed folder': 'mkdir $PLACE/gone && cd $PLACE/gone && rmdir $PLACE/gone',
  'an unreadable folder': 'cd $PLACE && chmod 000 $PLACE',
  'a full folder':
    'mkdir $PLACE/full && mount -t tmpfs -o size=4k full $PLACE/full && cd $PLACE/full && head -c 4096 /dev/zero > filled',
  'a read-only folder': 'mount --bind $PLACE $PLACE && mount -o remount,ro,bind $PLACE && cd $PLACE',
  '24 open files': 'cd $PLACE && ulimit -n 24',
  '64 open files': 'cd $PLACE && ulimit -n 64',
  '128 open files': 'cd $PLACE && ulimit -n 128',
  '2 GB of address space': 'cd $PLACE && ulimit -v 2000000',
}

const suite = ['--suite', join(given, 'suite')]
const run = join(given, 'run.ndjson')
const calls: readonly (readonly string[])[] = [
  ['--version'],
  ['list', ...suite],
  ['show', 'LOOK-KNOWN/only', ...suite],
  ['lint', ...suite],
  ['doctor', ...suite],
  ['run', ...suite],
  ['run', ...suite, '--out', 'results'],
  ['certify', ...suite, '--operations', 'contract-by-id', '--signer', 'x', '--key', join(given, 'signer.pem')],
  ['verify', 'missing'],
  ['report', run, '--out', 'reports'],
  ['report', run, '--format', 'badge', '--out', 'reports'],
  ['record', run],
  ['diff', run, run],
  ['merge', run, run, '--out', 'merged'],
  ['compare', given, '--out', 'compare.html'],
  ['token', 'reader', ...suite, '--out', 'results'],
  ['clean', '--out', 'results'],
  ['explore', '--budget', '20', '--out', 'explored'],
  ['learn', run, '--out', 'learned'],
  ['simulate', '--port', '0', '--data', 'state', '--save'],
]

interface Called {
  code: number | null
  output: string
}

/** In a namespace of its own, so that mounts end with it. The command loses the privileges of root, which may read everything. */
async function called(words: readonly string[], surrounding: string, place: string): Promise<Called> {
  const command = [process.execPath, ...commandLine, ...words]
  const end = words[0] === 'simulate' ? '5' : String(longest)
  const script = `${surrounding}; exec timeout -s TERM -k 5 ${end} setpriv --bounding-set -all --inh-caps -all "$@"`
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', PLACE: place, CONFORM_LATE_CHECK: '0' },
  })
  const { code, stdout, stderr } = await endOf(child)
  return { code, output: stdout + stderr }
}

const problemsOf = ({ code, output }: Called, isSimulator: boolean): string[] => [
  ...(code === 137 || (code === 124 && !isSimulator) ? ['the command does not end'] : []),
  ...(code !== null && (code <= 5 || code === 124) ? [] : [`exit ${code}`]),
  ...(code !== 0 && output === '' ? ['no message'] : []),
  ...(/Internal error of conform|\n +at /.test(output) ? ['a stack'] : []),
]

let failed = 0
let tried = 0
for (const [name, surrounding] of Object.entries(surroundings)) {
  for (const words of calls) {
    const label = `${words.slice(0, 1).join(' ')} in ${name}`
    if (!label.includes(pattern)) continue
    tried += 1
    const place = join(folder, `place-${tried}`)
    await cp(given, place, { recursive: true })
    const ended = await called(words, surrounding, place)
    console.log(`exit ${ended.code}: ${label}`)
    const problems = problemsOf(ended, words[0] === 'simulate')
    if (problems.length > 0) {
      failed += 1
      console.log(`${label}: ${problems.join(', ')}\n${ended.output.slice(0, 600)}`)
    }
  }
}
await rm(folder, { recursive: true, force: true })
console.log(`${tried} calls (${lookupRows} rows each), ${failed} with a problem`)
if (failed > 0 || tried === 0) process.exitCode = 1
