import { visibleLine } from '../../reports/wording/hostile-text.js'
import type { Settings } from '../../runner/target/read-settings.js'

/** They remove rows from a run. */
const limiting: readonly string[] = [
  'operations',
  'only',
  'not',
  'impact',
  'failed-of',
  'shard',
  'unreachable',
  'allow',
]

/** `Settings that limit the rows: operations (conform.yaml:3), only (--only)`; undefined without such a setting. */
export function limitingSettings({ sources }: Settings): string | undefined {
  const given = limiting.flatMap((name) => {
    const source = sources.get(name)
    return source === undefined ? [] : [`${name} (${source})`]
  })
  return given.length === 0 ? undefined : visibleLine(`Settings that limit the rows: ${given.join(', ')}`)
}
