import { type BrotliDecompress, constants, createBrotliCompress, createBrotliDecompress, createGunzip } from 'node:zlib'

/** Most text of a row occurs in earlier rows. A larger window finds little more, and the reader needs its memory. */
const windowBits = 24
/** Lower ones write 1.5 MB for a run of the whole suite instead of 1.3 MB, higher ones need more time. */
const quality = 7

/** Bytes that one step of the decompression returns. Smaller steps need more time than the decompression itself. */
const outputSize = 256 * 1024

export const compression = () =>
  createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
    },
  })

/** The first byte of gzip. */
const gzip = 0x1f

/**
 * `first`: byte of the file. Records up to format 3 use gzip; a message names the version that reads them. An interrupted
 * run has no end of the compression: its text ends at the last flush.
 */
export const decompression = (first: number | undefined): BrotliDecompress | ReturnType<typeof createGunzip> =>
  first === gzip
    ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: outputSize })
    : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize: outputSize })
