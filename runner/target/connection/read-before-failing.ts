import type { Socket } from 'node:net'

type Written = (error?: Error | null) => void

interface Piece {
  chunk: Buffer | string
  encoding: BufferEncoding
}

/** Bytes that are written at once; what comes behind them is written when the kernel has taken them. */
const longestPiece = 64 * 1024

const withMore = new WeakSet<Socket>()

/**
 * Whether there is more to write than the kernel has taken, or could be given yet. If the socket has ended, the other side never
 * received all of it. False proves nothing: the kernel takes bytes that never arrive.
 */
export const isCutShort = (socket: Socket): boolean => withMore.has(socket)

/**
 * Lets a write fail only when everything that the other side sent has been read. A server may answer a large request early, and
 * close: the next write fails while the answer lies unread in the kernel, and Node destroys a socket whose write has failed.
 * Replaced are the two methods that streams implement, on the instance, since connectors make their sockets themselves.
 */
export function readBeforeFailing(socket: Socket): Socket {
  const { _write: write, _writev: writeTogether } = socket

  const fail = (error: Error, written: Written): void => {
    withMore.add(socket)
    let isTold = false
    const tell = (): void => {
      if (!isTold) written(error)
      isTold = true
    }
    if (socket.readableEnded || socket.destroyed) tell()
    else socket.once('end', tell).once('close', tell)
  }

  const writeFrom = (index: number, pieces: readonly Piece[], written: Written): void => {
    const piece = pieces[index]
    // A socket that is destroyed meanwhile reports no failed write.
    if (!piece || socket.destroyed) return void written()
    if (index + 1 < pieces.length) withMore.add(socket)
    else withMore.delete(socket)
    write.call(socket, piece.chunk, piece.encoding, (error) => {
      if (error) fail(error, written)
      else writeFrom(index + 1, pieces, written)
    })
  }

  socket._write = (chunk: Buffer | string, encoding, written) => writeFrom(0, piecesOf({ chunk, encoding }), written)
  if (writeTogether) {
    socket._writev = (chunks: Piece[], written) => {
      const length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0)
      if (length > longestPiece) writeFrom(0, chunks.flatMap(piecesOf), written)
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
  const count = Math.max(1, Math.ceil(chunk.length / longestPiece))
  return Array.from({ length: count }, (_, index) => ({
    chunk: chunk.subarray(index * longestPiece, (index + 1) * longestPiece),
    encoding,
  }))
}
