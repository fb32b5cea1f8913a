/** The range of Timestamp in Daml, in microseconds since 1970. */
export const [firstMicro, lastMicro] = [-62_135_596_800_000_000n, 253_402_300_799_999_999n] as const

/** Years 1 to 9999, in microseconds since 1970. */
export const isInstant = (micros: bigint): boolean => micros >= firstMicro && micros <= lastMicro

/** `2030-01-01T00:00:00Z` with no, three or six fraction digits, or the number outside the years 1 to 9999. */
export function printInstant(micros: bigint): string {
  if (!isInstant(micros)) return `${micros} µs`
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = (micros - fraction) / 1_000_000n
  const head = new Date(Number(seconds) * 1000).toISOString().replace(/\.000Z$/, '')
  if (fraction === 0n) return `${head}Z`
  const digits = String(fraction).padStart(6, '0')
  return `${head}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}
