/** Limits of the process that are too small: a warning at the start, and an end with a message. */
import { spawn } from 'node:child_process'
import t from 'tap'
import { problemsOfLimits } from '../../../cli/console/process-limits.js'
import { commandLine, type Ended, endOf } from '../../support/processes/conform-process.js'

const limits = (files: string, bytes: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max file size             unlimited            unlimited            bytes     ',
    `Max open files            ${files.padEnd(20)} 20000                files     `,
    `Max address space         ${bytes.padEnd(20)} unlimited            bytes     `,
  ].join('\n')

t.test('a limit below the needs of a run is named with its remedy', (t) => {
  t.same(problemsOfLimits(limits('256', 'unlimited')), [])
  t.same(problemsOfLimits(limits('255', '12884901888')), [
    { message: 'The process may open only 255 files and connections. Set `ulimit -n 256` or more.', isFatal: false },
    {
      message: 'The process may use only 12.0 GiB of address space; Node.js needs 13 GiB. Set `ulimit -v unlimited`.',
      isFatal: true,
    },
  ])
  t.match(problemsOfLimits(limits('127', 'unlimited')), [{ isFatal: true }])
  t.same(problemsOfLimits(''), [], 'other systems state no limits')
  t.end()
})

/** In a shell, because Node cannot set limits. */
const limited = (limit: string, ...words: string[]): Promise<Ended> =>
  endOf(spawn('sh', ['-c', `ulimit ${limit} && exec "$@"`, 'sh', process.execPath, ...commandLine, ...words]))

t.test('few open files: a warning, or an end before the first request', async (t) => {
  const run = ['run', '--only', 'CBI-WITNESSES/both', '--late-check', '0', '--out', t.testdir({})]
  const few = await limited('-n 128', ...run)
  t.equal(few.code, 0, few.stderr)
  t.match(few.stderr, /^warning: The process may open only 128 files/)
  const fewer = await limited('-n 64', ...run)
  t.equal(fewer.code, 4)
  t.match(fewer.stderr, /^The process may open only 64 files.*\n$/)
  // Node cannot load the program.
  const fewest = await limited('-n 24', ...run)
  t.equal(fewest.code, 4)
  t.match(fewest.stderr, /^conform cannot load its program\. .*EMFILE/)
})

t.test('little address space ends a command before its first request', async (t) => {
  const ended = await limited('-v 2000000', 'list')
  t.equal(ended.code, 4)
  t.match(ended.stderr, /only 1\.9 GiB of address space/)
})

t.test('a limit of the file size is an error of the output', async (t) => {
  const ended = await limited('-f 1', 'run', '--only', 'CBI-WITNESSES/both', '--out', t.testdir({}))
  t.equal(ended.code, 2)
  t.match(
    ended.stderr,
    /^out: .* cannot be written \(EFBIG: the limit of the file size is reached; raise `ulimit -f`\)/,
  )
})
