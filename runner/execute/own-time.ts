/** Time limits that count against nobody what was this process's own delay: it was halted, or had much to judge. */

/** Milliseconds that a timer may be late without that anything held it up. */
const ordinary = 100

/** Calls back after so many milliseconds; where this process did not run for a part of them, that part is granted once more. Returns a function that forgets it. */
export function afterOwnTime(milliseconds: number, over: () => void): () => void {
  const due = performance.now() + milliseconds
  let timer = setTimeout(() => {
    const late = performance.now() - due
    if (late < ordinary) return over()
    // What has come meanwhile is read before this one fires.
    timer = setTimeout(over, Math.min(late, milliseconds))
  }, milliseconds)
  return () => clearTimeout(timer)
}
