/** Mutants that return or accept the wrong number of keys in a tagged union. */
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { changeMembers } from '../interceptors/bodies.js'
import { alterAnswers, alterMembers } from '../interceptors/interceptors.js'
import { ewt, saw } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

const eachEvent = (change: (event: JsonValue) => JsonValue) =>
  alterAnswers([ewt], (answer) =>
    changeMembers(answer, ['events'], (events) => (Array.isArray(events) ? events.map(change) : events)),
  )

const events: readonly Mutant[] = [
  {
    name: 'events-with-a-second-key',
    ...fault(ewt, 'TRX-EVENTS', 'answer'),
    sentence: 'Each event has a second key besides the one naming its kind.',
    interceptor: eachEvent((event) => (isJsonObject(event) ? { ...event, Comment: {} } : event)),
  },
  {
    name: 'events-without-a-key',
    ...fault(ewt, 'TRX-EVENTS', 'answer'),
    sentence: 'Each event is an empty object.',
    interceptor: eachEvent(() => ({})),
  },
]

const withKeyAlone =
  (key: string) =>
  (value: JsonValue): JsonValue =>
    isJsonObject(value) && Object.hasOwn(value, key) ? { [key]: value[key] ?? null } : value

const eachCommand = (change: (command: JsonValue) => JsonValue) =>
  alterMembers([saw], ['commands'], (commands) => (Array.isArray(commands) ? commands.map(change) : commands))

/** The reference ignores a second key. */
const where = { behaviour: 'interface' } as const

const requests: readonly Mutant[] = [
  {
    name: 'second-key-of-a-command-ignored',
    ...fault(saw, 'SAW-ONE-KIND', 'acceptance'),
    sentence: 'Other keys of a command with CreateAndExerciseCommand are ignored.',
    where,
    interceptor: eachCommand(withKeyAlone('CreateAndExerciseCommand')),
  },
  {
    name: 'unknown-key-of-a-command-ignored',
    ...fault(saw, 'SAW-ONE-KIND', 'acceptance'),
    sentence: 'Unknown keys of a command are ignored.',
    where,
    interceptor: eachCommand((command) =>
      isJsonObject(command)
        ? Object.fromEntries(Object.entries(command).filter(([key]) => key.endsWith('Command')))
        : command,
    ),
  },
  {
    name: 'second-key-of-a-period-ignored',
    ...fault(saw, 'SAW-DEDUPLICATION-TYPE', 'acceptance'),
    sentence: 'Other keys of a deduplicationPeriod with DeduplicationDuration are ignored.',
    where,
    interceptor: alterMembers([saw], ['deduplicationPeriod'], withKeyAlone('DeduplicationDuration')),
  },
]

export const wrongKinds: readonly Mutant[] = [...events, ...requests]
