/** One call of each command in a process of its own. Other tests call the program in their process. */
import { join } from 'node:path'
import t from 'tap'
import { startSimulator } from '../../../simulator/simulator.js'
import { keyFiles } from '../../support/bundles/certified-bundle.js'
import { conformIn, conformProcessIn } from '../../support/processes/conform-process.js'
import { lookupRows, writeLookupSuite } from '../../support/suites/lookup-suite.js'

t.test('each command ends with its exit code; standard output has its result', async (t) => {
  const folder = t.testdir({ suite: {} })
  await writeLookupSuite(join(folder, 'suite'))
  await keyFiles(folder, 'signer')
  const authorization = 'hs256:a-key-of-this-test-only'
  const simulator = await startSimulator({ authorization })
  t.teardown(() => simulator.close())
  const target = ['--target', simulator.url, '--authorization', authorization]
  const suite = ['--suite', 'suite']
  const signing = ['--operations', 'contract-by-id', '--signer', 'A. Signer', '--key', 'signer.pem']
  await conformIn({ folder }, 'run', ...target, ...suite, '--shard', '1/2', '--out', 'one')
  // Later commands read the files of earlier ones.
  const calls: [words: string[], code: number, stdout: RegExp][] = [
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    [['lint', ...suite], 0, new RegExp(`${lookupRows} rows`)],
    [['list', ...suite, '--only', 'LOOK-KNOWN'], 0, /^LOOK-KNOWN\/only/],
    [['show', 'LOOK-KNOWN/only', ...suite], 0, /LOOK-FOUND/],
    [['doctor', ...target, ...suite], 0, new RegExp(`${lookupRows} rows will run`)],
    [['run', ...target, ...suite, '--shard', '2/2', '--out', 'two', '--keep-users'], 0, /run\.ndjson\.br\n/],
    [['merge', 'one', 'two', '--out', 'merged'], 0, /run\.ndjson/],
    [['report', 'one', '--format', 'badge', '--out', 'reports'], 0, /badge\.svg\n/],
    [['diff', 'one', 'one'], 0, /No regression/],
    [['compare', 'one', '--out', 'compare.html'], 0, /compare\.html\n/],
    [['token', 'reader', ...target, ...suite, '--out', 'two'], 0, /^eyJ\S+\n$/],
    [['clean', ...target, '--out', 'two'], 0, /deactivated/],
    [['certify', ...target, ...suite, ...signing, '--out', 'certified'], 0, /^PASS/m],
    [['verify', 'certified/latest', ...suite, '--key', 'signer.pub.pem'], 0, /^PASS/m],
    [['learn'], 2, /^$/],
    [['explore', '--budget', 'soon'], 2, /^$/],
    [['simulate', '--port', '70000'], 2, /^$/],
  ]
  for (const [words, code, stdout] of calls) {
    const ended = await conformProcessIn({ folder }, ...words)
    t.equal(ended.code, code, `${words[0]}: ${ended.stdout}${ended.stderr}`)
    t.match(ended.stdout, stdout, words[0] ?? '')
    if (code === 2) t.not(ended.stderr, '', `${words[0]} names the mistake`)
  }
})
