/** `npm run test:endurance`: the expensive families of test/endurance and the long forms of other tests. Ends at the first failure. */
import { spawnSync } from 'node:child_process'

/** Programs below dist/test/endurance. */
const families = [
  ['hostile-answers'],
  ['ended-runs'],
  ['halted-target'],
  ['altered-bundles'],
  ['altered-leaves'],
  ['re-signed-bundles'],
  ['killed-simulators'],
  ['restarted-targets'],
  ['operated-participant'],
  ['hostile-paths'],
  ['hostile-surroundings'],
  ['cheating-servers'],
  ['dishonest-participants'],
  ['faulty-oracles'],
  ['echoing-targets'],
  ['learn', 'lines'],
  ['minimal-answers'],
]
/** Files of `npm test` and of `npm run test:release` with larger samples. */
const larger = [
  'runner/transport/early-answers',
  'runner/transport/hostile',
  'interface/prepared-transaction/hostile-bytes',
  'release/documented-commands',
  'cli/commands/run/whole-run',
  'explore/mutants',
]
const samples = {
  EARLY_ANSWERS: '200',
  HOSTILE_TIMES: '10',
  DOCUMENTED_COMMANDS: 'whole',
  WHOLE_RUN: 'whole',
  EXPLORED_MUTANTS: 'whole',
}

const calls = [
  ...families.map(([name, ...options]) => ['--enable-source-maps', `dist/test/endurance/${name}.js`, ...options]),
  ['tools/tests/test-files.mjs', ...larger],
]
const failed = calls.find((call) => {
  console.log(`node ${call.join(' ')}`)
  return spawnSync(process.execPath, call, { stdio: 'inherit', env: { ...process.env, ...samples } }).status !== 0
})
if (failed) {
  console.error(`failed: node ${failed.join(' ')}`)
  process.exitCode = 1
}
