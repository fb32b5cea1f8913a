/** The limit of a test file that runs without the test script: the 30 seconds of tap are too short on a busy machine. */
import t from 'tap'

if (process.env['TAP_TIMEOUT'] === undefined) t.setTimeout(600_000)
