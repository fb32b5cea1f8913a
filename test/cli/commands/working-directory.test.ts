/** Commands in a removed working directory end with a message. */
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
