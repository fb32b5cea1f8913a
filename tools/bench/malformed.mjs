/** `npm run bench:malformed`: time and memory of `conform report` for malformed records. It must report each one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inSeconds, measuredCall } from './measured-call.mjs'

const incomplete = 5
const folder = mkdtempSync(join(tmpdir(), 'bench-malformed-'))
measuredCall(['run', '--only', 'CBI-CONTENT/argument', '--record', 'plain', '--out', folder])
const record = readFileSync(join(folder, 'latest', 'run.ndjson'), 'utf8')
const [header = '', ...others] = record.trimEnd().split('\n')
const plan = others.find((line) => line.startsWith('{"type":"plan"')) ?? ''
const row = others.find((line) => line.startsWith('{"type":"row"')) ?? ''
const before = others.slice(0, others.indexOf(row))

const shared = (/** @type {object} */ values) => JSON.stringify({ type: 'shared', ...values })
const lines = (/** @type {string[]} */ ...all) => `${all.join('\n')}\n`
/** Each text has twice the characters of the one before. */
const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => {
    const [id, half] = [90_001 + index, 2 ** index]
    return [id, index === 0 ? 'xx' : [[id - 1, 0], half, [id - 1, 0], half]]
  }),
)
const evidence = JSON.parse(row).evidence[0]
const generated = Array.from({ length: 1_000_000 }, () => 90_011)
const repeating = JSON.stringify({ ...JSON.parse(row), evidence: [{ ...evidence, generated }] })
/** One member of the file for each 16 MiB. */
const bomb = (/** @type {string} */ text) => {
  const member = gzipSync(Buffer.alloc(16 * 1024 ** 2, text))
  return Buffer.concat([gzipSync(lines(header)), ...Array.from({ length: 64 }, () => member)])
}

/** @type {Record<string, string | Buffer>} */
const records = {
  'texts that double to 2^40 characters': lines(header, ...before, shared({ texts: doubled }), row),
  'a billion characters by references': lines(
    ...[header, ...before, shared({ texts: { 90011: 'x'.repeat(1000) } }), repeating],
  ),
  'a cycle': lines(header, ...before, shared({ texts: { 90001: [[90_002, 0], 32], 90002: [[90_001, 0], 32] } }), row),
  'undefined ids': lines(header, plan, row),
  'a gzip bomb of one line, 1 GiB': bomb('x'),
  'a gzip bomb of short lines, 1 GiB': bomb('{}\n'),
  'half of a compressed record': gzipSync(record).subarray(0, -1000),
}
for (const [name, bytes] of Object.entries(records)) {
  const file = join(folder, `malformed.ndjson${typeof bytes === 'string' ? '' : '.gz'}`)
  writeFileSync(file, bytes)
  const { cpu, memory, output } = measuredCall(['report', file, '--out', join(folder, 'reports')], incomplete)
  const message = output.split('\n').find((line) => / [Ll]ine |lines/.test(line)) ?? ''
  console.log(`${name.padEnd(40)} CPU ${inSeconds(cpu)}, ${Math.round(memory)} MiB: ${message.slice(0, 300)}`)
}
rmSync(folder, { recursive: true })
