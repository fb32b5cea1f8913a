/** A reader of QR codes reads the digest from the code of the report for the signer. */
import t from 'tap'
import { signingOf } from '../../reports/wording/signing.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { importSeparate } from './separate-packages.js'

type Reader = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null

/** Pixels for each unit of the code. */
const unit = 4

/** White pixels, and black ones for each unit square of the path, as RGBA. */
function drawn(path: string, width: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let line = 0; line < unit; line += 1)
      for (let column = 0; column < unit; column += 1) {
        const pixel = (Number(y) * unit + line) * width + Number(x) * unit + column
        pixels.fill(0, pixel * 4, pixel * 4 + 3)
      }
  return pixels
}

t.test('the code contains the digest of the record', async (t) => {
  const { default: jsQR } = await importSeparate<{ default: Reader }>('jsqr')
  const record = await sampleRecord()
  const { size, path } = signingOf(record, undefined).code
  const width = size * unit
  t.equal(jsQR(drawn(path, width), width, width)?.data, `sha256:${record.footer?.digest}`)
})
