/** The limit of tap, 30 s for a process, is too short on a busy machine. This one is for hung tests only. */
import t from 'tap'

t.setTimeout(1_800_000)
