import type { Server, ServerResponse } from 'node:http'

/**
 * How a server is ended: nothing new is taken, and what has arrived has so many milliseconds to be answered. A connection on
 * which nobody waits for an answer is closed at once.
 */
export function endable(server: Server): (patience: number) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isEnding = false
  const closeIdle = (): void => {
    if (unanswered.size === 0) server.closeAllConnections()
    else server.closeIdleConnections()
  }
  server.on('request', (_, response) => {
    unanswered.add(response)
    response.once('close', () => {
      unanswered.delete(response)
      if (isEnding) closeIdle()
    })
  })
  let ended: Promise<void> | undefined
  const end = (patience: number): Promise<void> =>
    new Promise((resolve, reject) => {
      isEnding = true
      // Or the client would send its next request over a connection that is about to be closed.
      for (const response of unanswered) response.shouldKeepAlive = false
      const timer = setTimeout(() => server.closeAllConnections(), patience)
      server.close((error) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve()
      })
      closeIdle()
    })
  return (patience) => {
    ended ??= end(patience)
    // Also when it is ending already, and somebody has lost his patience.
    if (patience === 0) server.closeAllConnections()
    return ended
  }
}
