import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export function namedPipe(folder: string, name = 'pipe'): string {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  return path
}

/** A link to a device without an end. */
export async function linkToZero(folder: string, name = 'zero'): Promise<string> {
  const path = join(folder, name)
  await symlink('/dev/zero', path)
  return path
}

/** Root gets a copy, because a faulty program could replace the device. */
export async function nullDevice(folder: string, name = 'null'): Promise<string> {
  const path = join(folder, name)
  if (process.getuid?.() === 0) execFileSync('mknod', [path, 'c', '1', '3'])
  else await symlink('/dev/null', path)
  return path
}

/** A sparse file. */
export async function hugeFile(folder: string, size: number, name = 'huge'): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '')
  await truncate(path, size)
  return path
}
