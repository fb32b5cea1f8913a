/** The output of a command: console and files, also unpacked for readers of HTML. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ended } from '../processes/conform-process.js'
import type { RepeatedSecrets } from '../records/repeated-secrets.js'
import { unpackReport } from '../records/unpack-report.js'

async function textsBelow(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'utf8')
    texts.set(path.slice(folder.length + 1), text)
    if (entry.name.endsWith('.html')) texts.set(`${entry.name}, unpacked`, unpackReport(text).data.join('\n'))
  }
  return texts
}

/** Files and console streams that contain repeated secrets, or the `planted` ones in a usual encoding. */
export async function leaksOf(
  { stdout, stderr }: Ended,
  folder: string | undefined,
  secrets: Pick<RepeatedSecrets, 'leaks'>,
  planted: readonly string[],
): Promise<string[]> {
  const texts = folder === undefined ? new Map<string, string>() : await textsBelow(folder)
  texts.set('standard output', stdout).set('standard error', stderr)
  return [...texts].flatMap(([name, text]) => [
    ...secrets.leaks(text).left.map((encoding) => `${name}: ${encoding}`),
    ...planted
      .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
      .map((secret) => `${name}: ${secret}`),
  ])
}

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)]
}
