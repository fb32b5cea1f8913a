/**
 * Runs several npm scripts concurrently:
 *   node tools/tests/run-scripts.mjs SCRIPT... [-- ARGUMENT...]
 * Streams the output of the last script, and prints the output of the others at their end. With arguments, only the last script runs and
 * receives them. Exits with 1 if a script failed, and prints its name.
 */
import { spawn } from 'node:child_process'

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const options = words.slice(end + 1)
const names = words.slice(options.length > 0 ? end - 1 : 0, end)

/** @param {string} name @param {boolean} isLast @returns {Promise<string | undefined>} the name if it failed */
function start(name, isLast) {
  const stdio = isLast ? 'inherit' : 'pipe'
  const more = isLast ? ['--', ...options] : []
  const child = spawn('npm', ['run', '--silent', name, ...more], { stdio: ['ignore', stdio, stdio] })
  /** @type {Buffer[]} */
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      process.stderr.write(Buffer.concat(printed))
      resolve(code === 0 ? undefined : name)
    })
  })
}

const ended = await Promise.all(names.map((name, index) => start(name, index === names.length - 1)))
const failed = ended.filter((name) => name !== undefined)
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
