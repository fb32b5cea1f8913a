/** Waits for a change of files, or for a line on standard input. */
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { systemReason } from '../../lib/files/file-errors.js'
import { printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'

/** Milliseconds without a further change: editors write a file in several steps. */
const quiet = 50

export interface WatchedFiles {
  /** Also resolves if the change occurred since the last call. False: the watch is closed. */
  next(): Promise<boolean>
  close(): void
}

/** Folders are watched with all files below them. Each line on standard input counts as a change. */
export async function watchFiles(paths: readonly string[]): Promise<WatchedFiles> {
  let isChanged = false
  let isClosed = false
  let wake: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const change = (): void => {
    isChanged = true
    wake()
  }
  const changeSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(change, quiet)
  }
  const watchers = await openWatchers(paths, changeSoon)
  // Without a listener, an exhausted limit of the system would end a run.
  for (const [index, watcher] of watchers.entries())
    watcher.on('error', (error) =>
      printError(`watch: ${paths[index]} is no longer watched (${systemReason(error)}); press Enter to run again`),
    )
  const lines = createInterface({ input: process.stdin }).on('line', change)
  return {
    next: async () => {
      if (!isChanged && !isClosed)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      isChanged = false
      return !isClosed
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      lines.close()
      wake()
    },
  }
}

/** All or none: an open watcher would keep the process from its end. Rejects with `UsageError`. */
async function openWatchers(paths: readonly string[], changed: () => void): Promise<FSWatcher[]> {
  const watchers: FSWatcher[] = []
  for (const path of paths) {
    try {
      watchers.push(await watchPath(path, changed))
    } catch (cause) {
      for (const watcher of watchers) watcher.close()
      throw new UsageError(`watch: ${path} cannot be watched (${systemReason(cause)})`, { cause })
    }
  }
  return watchers
}

/** Editors replace a file, so its folder is watched. */
async function watchPath(path: string, changed: () => void): Promise<FSWatcher> {
  if ((await stat(path)).isDirectory()) return watch(path, { recursive: true }, changed)
  const name = basename(path)
  return watch(dirname(path), (_, file) => {
    if (file === name) changed()
  })
}
