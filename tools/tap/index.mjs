import { tap } from '@tapjs/core'

/** Milliseconds for a file, a test, or a test in it. Ends tests that hang; the 30 s of tap are too short for a busy machine. */
const timeout = 1_800_000

const root = tap({ timeout })
// Adds tap's listeners to the process, and its asynchronous hook, which goes: see the class of tests.
root.pipe(process.stdout)
root.hook.onDestroy?.()

process.on('uncaughtException', (error, origin) => {
  activeTest().threw(Object.assign(error, { tapCaught: origin }))
})

/** The innermost running test. Tests run one after the other. */
function activeTest() {
  /** @type {import('@tapjs/core').Base} */
  let test = root
  while ('activeSubtests' in test) {
    const [inner] = /** @type {Set<import('@tapjs/core').Base>} */ (test.activeSubtests) // of tests alone
    if (inner === undefined) return test
    test = inner
  }
  return test
}

export default root
