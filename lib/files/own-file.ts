/** Files that are part of the program itself: no user names them, so they need no checks. */
import { readFileSync } from 'node:fs'

/** `file`: made from `import.meta.url`. Throws the error of the file system. */
export const readOwnFile = (file: URL): string => readFileSync(file, 'utf8')

/** As `readOwnFile`. */
export const readOwnBytes = (file: URL): Buffer => readFileSync(file)
