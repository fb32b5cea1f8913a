import { tap } from '@tapjs/core'

/** Milliseconds for a file, a test, or a test in it. Ends tests that hang; the 30 s of tap are too short for a busy machine. */
const timeout = 1_800_000

export default tap({ timeout })
