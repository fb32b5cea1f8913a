/** `1 row`, `2 rows`; where that is not enough, `several` is said. */
export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : several}`
}

/** A duration as people read it: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** An ISO instant as people read it, always in UTC, so that a report reads the same everywhere. */
export function instant(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
