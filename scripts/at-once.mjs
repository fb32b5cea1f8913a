/**
 * Runs several npm scripts at once:
 *   node scripts/at-once.mjs SCRIPT...
 * What the last one prints is shown as it comes, the others' once they have ended. Ends with 1 if one of them failed, and says which.
 */
import { spawn } from 'node:child_process'

const names = process.argv.slice(2)

/** @param {string} name @param {boolean} isShown @returns {Promise<string | undefined>} its name if it failed */
function start(name, isShown) {
  const stdio = isShown ? 'inherit' : 'pipe'
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', stdio, stdio] })
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
