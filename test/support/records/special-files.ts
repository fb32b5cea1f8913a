/** Files that are not regular, for tests of whatever reads and writes. */
import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export function namedPipe(folder: string, name = 'pipe'): string {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  return path
}

/** A link to a device that never ends. It is only to be read. */
export async function linkToZero(folder: string, name = 'zero'): Promise<string> {
  const path = join(folder, name)
  await symlink('/dev/zero', path)
  return path
}

/**
 * A device that swallows everything, to be written to: a copy of it in the folder where this user may make one, as a faulty program would
 * replace it. Other users may not, and cannot replace the one of the machine either.
 */
export async function nullDevice(folder: string, name = 'null'): Promise<string> {
  const path = join(folder, name)
  if (process.getuid?.() === 0) execFileSync('mknod', [path, 'c', '1', '3'])
  else await symlink('/dev/null', path)
  return path
}

/** A file of that size that takes no room on the disk. */
export async function hugeFile(folder: string, size: number, name = 'huge'): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '')
  await truncate(path, size)
  return path
}
