import type { Socket } from 'node:net'

type Written = (error?: Error | null) => void

interface Piece {
  chunk: Buffer | string
  encoding: BufferEncoding
}

/** Bytes of one write. */
const pieceBytes = 64 * 1024

const unfinished = new WeakSet<Socket>()

/** False proves nothing: accepted bytes may never arrive. */
export const isCutShort = (socket: Socket): boolean => unfinished.has(socket)

/** Node destroys the socket after a failed write, even if the server answered a large request early. */
export function readBeforeFailing(socket: Socket): Socket {
  const { _write: write, _writev: writeTogether } = socket

  const fail = (error: Error, written: Written): void => {
    unfinished.add(socket)
    let isReported = false
    const report = (): void => {
      if (!isReported) written(error)
      isReported = true
    }
    if (socket.readableEnded || socket.destroyed) report()
    else socket.once('end', report).once('close', report)
  }

  const writeFrom = (index: number, pieces: readonly Piece[], written: Written): void => {
    const piece = pieces[index]
    // A destroyed socket reports no failed write.
    if (!piece || socket.destroyed) return void written()
    if (index + 1 < pieces.length) unfinished.add(socket)
    else unfinished.delete(socket)
    write.call(socket, piece.chunk, piece.encoding, (error) => {
      if (error) fail(error, written)
      else writeFrom(index + 1, pieces, written)
    })
  }

  socket._write = (chunk: Buffer | string, encoding, written) => writeFrom(0, piecesOf({ chunk, encoding }), written)
  if (writeTogether) {
    socket._writev = (chunks: Piece[], written) => {
      const length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0)
      if (length > pieceBytes) writeFrom(0, chunks.flatMap(piecesOf), written)
      else
        writeTogether.call(socket, chunks, (error) => {
          if (error) fail(error, written)
          else written()
        })
    }
  }
  return socket
}

function piecesOf({ chunk, encoding }: Piece): Piece[] {
  if (typeof chunk === 'string') return [{ chunk, encoding }]
  const count = Math.max(1, Math.ceil(chunk.length / pieceBytes))
  return Array.from({ length: count }, (_, index) => ({
    chunk: chunk.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    encoding,
  }))
}
