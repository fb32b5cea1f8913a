/** Console and files of a command, also unpacked from HTML. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ended } from '../processes/conform-process.js'
import type { RepeatedSecrets } from '../records/repeated-secrets.js'
import { resultText } from '../records/result-text.js'
import { unpackReport } from '../records/unpack-report.js'

async function textsBelow(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = await resultText(path)
    texts.set(path.slice(folder.length + 1), text)
    if (entry.name.endsWith('.html')) texts.set(`${entry.name}, unpacked`, unpackReport(text).data.join('\n'))
  }
  return texts
}

/** With repeated secrets, or `planted` ones in a usual encoding. */
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
