/** `verify` compares the reports of a bundle with those that it derives. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import t from 'tap'
import { checkReports } from '../../certificate/verify/check-reports.js'
import { htmlReport } from '../../reports/formats/html.js'
import { sampleRecord } from '../support/records/sample-record.js'

const folder = t.testdir({})
const name = 'report.html'
const page = await htmlReport(await sampleRecord())
const differs = [`${name} differs from the report derived from the record`]

async function findingsOf(altered: string): Promise<string[]> {
  t.not(altered, page)
  await writeFile(join(folder, name), altered)
  return checkReports(folder, [[name, page]])
}

const withData = (change: (data: string) => string): string =>
  page.replaceAll(/(?<=<script type="text\/plain"[^>]*>)[^<]+/g, change)
const unpacked = (data: string): Buffer => inflateRawSync(Buffer.from(data, 'base64'))
const packed = (bytes: Buffer): string => Buffer.from(bytes).toString('base64')

t.test('other versions of zlib may pack the data of a page otherwise', async (t) => {
  const repacked = withData((data) => packed(deflateRawSync(unpacked(data), { level: 1 })))
  t.strictSame(await findingsOf(repacked), [])
})

t.test('other data and other markup are differences', async (t) => {
  const changes: Record<string, string> = {
    'the data as markup': withData((data) => unpacked(data).toString('utf8')),
    'bytes behind the data': withData((data) =>
      packed(Buffer.concat([Buffer.from(data, 'base64'), Buffer.from('PASS')])),
    ),
    'text behind the padding': withData((data) => `${data}=PASS`),
    'other data': withData(() => packed(deflateRawSync(Buffer.from('{}')))),
    'more data': withData((data) => packed(deflateRawSync(Buffer.concat([unpacked(data), Buffer.from(' ')])))),
    'no data': withData((data) => data.slice(0, 20)),
    'more markup': page.replace('</body>', '<p>PASS</p></body>'),
  }
  for (const [what, altered] of Object.entries(changes)) t.strictSame(await findingsOf(altered), differs, what)
})

t.test('invalid bytes differ from the character that replaces them', async (t) => {
  await writeFile(join(folder, 'summary.md'), Buffer.from([0xff]))
  t.strictSame(await checkReports(folder, [['summary.md', '\ufffd']]), [
    'summary.md differs from the report derived from the record',
  ])
})
