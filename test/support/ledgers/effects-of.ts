/** What a run would make and change, as it tells it, and what it has made and changed, as its record tells it. */
import type { Effects } from '../../../record/types/effects.js'
import type { RunRecord } from '../../../record/types/record.js'

/** From what `--dry-run --json` prints. */
export function makesIn({ stdout, stderr }: { stdout: string; stderr: string }): Effects | string {
  try {
    return (JSON.parse(stdout) as { makes: Effects }).makes // our own output
  } catch {
    return `no dry run came about: ${stderr}`
  }
}

/** With `<run>` in place of its id, and parties without what the participant adds to their names. */
export function effectsOf({ header, footer }: Pick<RunRecord, 'header' | 'footer'>): Partial<Effects> {
  const { run, made } = header
  const plain = (names: readonly string[] = []): string[] => names.map((name) => name.replace(run, '<run>'))
  return {
    ...made,
    parties: plain(made?.parties.map((party) => party.split('::')[0] ?? '')),
    users: plain(made?.users),
    ...(footer?.vetting && { vetting: footer.vetting }),
    ...(footer?.transactions !== undefined && { transactions: footer.transactions }),
  }
}
