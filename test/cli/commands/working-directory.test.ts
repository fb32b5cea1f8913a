/** Commands in a working directory that is removed, or that Node cannot name, end with a message. */
import { spawn } from 'node:child_process'
import t from 'tap'
import { commandLine, endOf } from '../../support/processes/conform-process.js'

const commands = ['list', 'run --only CBI-WITNESSES/both --out r', 'simulate --port 0', 'verify bundle', 'token alice']

for (const command of commands)
  t.test(`conform ${command}: a removed working directory is wrong usage`, async (t) => {
    const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    const words = [process.execPath, ...commandLine, ...command.split(' ')]
    const ended = await endOf(spawn('sh', ['-c', script, 'sh', t.testdir({}), ...words]))
    t.equal(ended.code, 2)
    t.match(ended.stderr, /^The working directory cannot be used .* Change to an existing folder\.\n$/)
  })

t.test('a working directory that Node cannot name is wrong usage', async (t) => {
  // Node reads the byte as U+FFFD, which names another folder.
  const script = 'cd "$1" && shift && name=$(printf "a\\377") && mkdir "$name" && cd "$name" && exec "$@"'
  const folder = t.testdir({ 'a\ufffd': {} })
  const words = [process.execPath, ...commandLine, 'list']
  const ended = await endOf(spawn('sh', ['-c', script, 'sh', folder, ...words]))
  t.match(ended, { code: 2, stdout: '' })
  t.match(
    ended.stderr,
    /^The working directory cannot be used \(its name is not UTF-8\)\. Change to another folder\.\n$/,
  )
  const named = spawn('sh', ['-c', 'cd "$1" && shift && exec "$@"', 'sh', `${folder}/a\ufffd`, ...words, 'rules'])
  t.match(await endOf(named), { code: 0 }, 'a name with this character')
})
