/**
 * `npm test [-- folder or file below test/...]`: builds, then runs all checks beside all test files. With arguments, only these files run. Prints
 * elapsed and processor time of the whole. Exits with 1 if something failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { processorSeconds } from './processor-time.mjs'

const parts = process.argv.slice(2)
const began = performance.now()

/**
 * @param {string[]} command
 * @param {'inherit' | 'pipe'} output `pipe`: printed at the end, so that it does not mix with other output
 * @returns {Promise<string | undefined>} the command if it failed
 */
async function start(command, output) {
  const [program = '', ...options] = command
  const child = spawn(program, options, { stdio: ['ignore', output, output] })
  /** @type {Buffer[]} */
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes))
  const [code] = await once(child, 'close')
  process.stderr.write(Buffer.concat(printed))
  return code === 0 ? undefined : command.join(' ')
}

/** @returns {Promise<string[]>} commands that failed */
async function run() {
  for (const script of ['tools/tests/ensure-test-tools.mjs', 'tools/build/build.mjs']) {
    const failed = await start(['node', script], 'inherit')
    if (failed !== undefined) return [failed]
  }
  const checks = parts.length === 0 ? [start(['npm', 'run', '--silent', 'check'], 'pipe')] : []
  const files = start(['node', 'tools/tests/test-files.mjs', ...parts], 'inherit')
  const ended = await Promise.all([...checks, files])
  return ended.filter((failed) => failed !== undefined)
}

const failed = await run()
for (const command of failed) console.error(`failed: ${command}`)
const seconds = (performance.now() - began) / 1000
console.log(`npm test: ${seconds.toFixed(0)} s elapsed, ${processorSeconds('self').toFixed(0)} processor seconds`)
if (failed.length > 0) process.exitCode = 1
