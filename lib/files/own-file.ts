/** Files of the program itself need no checks. */
import { readFileSync } from 'node:fs'

/** Throws the error of the file system. */
export const readOwnFile = (file: URL): string => readFileSync(file, 'utf8')

export const readOwnBytes = (file: URL): Buffer => readFileSync(file)
