import { type Runtime, Session } from 'node:inspector'

/** Not part of the types of node:inspector. */
interface Properties {
  result: Member[]
  privateProperties?: Member[]
}

interface Member {
  name: string
  value?: Runtime.RemoteObject
}

/** Only the inspector shows private members. */
export function membersOf(object: object): Map<string, unknown> {
  const members = new Map<string, unknown>()
  const kept = { object, members }
  Object.assign(globalThis, { kept })
  const session = new Session()
  session.connect()
  try {
    const { result: subject } = ask<{ result: Runtime.RemoteObject }>(session, 'Runtime.evaluate', {
      expression: 'kept.object',
    })
    const options = { objectId: subject.objectId, ownProperties: true }
    const { result, privateProperties = [] } = ask<Properties>(session, 'Runtime.getProperties', options)
    for (const { name, value } of [...result, ...privateProperties]) {
      if (name === '__proto__') continue
      if (value?.objectId === undefined) members.set(name, value?.value)
      else {
        const functionDeclaration = 'function (name) { kept.members.set(name, this) }'
        ask(session, 'Runtime.callFunctionOn', {
          objectId: value.objectId,
          functionDeclaration,
          arguments: [{ value: name }],
        })
      }
    }
  } finally {
    session.disconnect()
  }
  return members
}

/** Synchronous within one process. */
function ask<T>(session: Session, method: string, parameters: object): T {
  let answer: object | undefined
  session.post(method, parameters, (error: Error | null, result?: object) => {
    if (error) throw error
    answer = result
  })
  return answer as T // per the protocol of the inspector
}
