/**
 * Runs several npm scripts at once:
 *   node scripts/run-scripts.mjs SCRIPT... [-- ARGUMENT...]
 * Prints the output of the last script at once, and of the others when they have ended. Arguments select a part of the last
 * script, which then runs alone. Exits with 1 if a script failed, and prints its name.
 */
import { spawn } from 'node:child_process'

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const parts = words.slice(end + 1)
const names = words.slice(parts.length > 0 ? end - 1 : 0, end)

/** @param {string} name @param {boolean} isShown @returns {Promise<string | undefined>} its name if it failed */
function start(name, isShown) {
  const stdio = isShown ? 'inherit' : 'pipe'
  const more = isShown ? ['--', ...parts] : []
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
