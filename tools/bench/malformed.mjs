/** `npm run bench:malformed`: time and memory of `conform report` for malformed records. It must report each one. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib'
import { inSeconds, measuredCall } from './measured-call.mjs'

const incomplete = 5
const mib = 1024 ** 2
const folder = mkdtempSync(join(tmpdir(), 'bench-malformed-'))
measuredCall(['run', '--only', 'CBI-CONTENT/argument', '--record', 'plain', '--out', folder])
const record = readFileSync(join(folder, 'latest', 'run.ndjson'), 'utf8')
const [header = '', row = ''] = record.split('\n')

/** A gibibyte after the header, compressed. @param {string} text */
async function bomb(text) {
  const compression = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  /** @type {Buffer[]} */
  const chunks = []
  compression.on('data', (chunk) => chunks.push(chunk))
  compression.write(`${header}\n`)
  const piece = Buffer.alloc(16 * mib, text)
  for (let index = 0; index < 64; index += 1) if (!compression.write(piece)) await once(compression, 'drain')
  compression.end()
  await once(compression, 'end')
  return Buffer.concat(chunks)
}

/** @type {Record<string, string | Buffer>} */
const records = {
  'a bomb of 1 GiB in one line': await bomb('x'),
  'a bomb of 1 GiB in short lines': await bomb('{}\n'),
  'one endless line of 400 MiB': `${header}\n${'x'.repeat(400 * mib)}`,
  '30 million brackets': `${header}\n${'['.repeat(30_000_000)}\n`,
  'a row with 30 million brackets': `${header}\n${row.slice(0, -1)},"a":${'['.repeat(30_000_000)}\n`,
  '10 million short lines': `${header}\n${'{}\n'.repeat(10_000_000)}`,
  'half of a compressed record': brotliCompressSync(record).subarray(0, -1000),
}
for (const [name, bytes] of Object.entries(records)) {
  const file = join(folder, `malformed.ndjson${typeof bytes === 'string' ? '' : '.br'}`)
  writeFileSync(file, bytes)
  const { cpu, memory, output } = measuredCall(['report', file, '--out', join(folder, 'reports')], incomplete)
  const message = output.split('\n').find((line) => / [Ll]ine |lines|footer/.test(line)) ?? ''
  console.log(`${name.padEnd(34)} CPU ${inSeconds(cpu)}, ${Math.round(memory)} MiB: ${message.slice(0, 300)}`)
}
rmSync(folder, { recursive: true })
