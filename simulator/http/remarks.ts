/** Reasons for log and journal; the client often receives less. */
const remarks = new WeakMap<object, string>()

/** May repeat client data, but no secret. */
export function remark(request: object, text: string): void {
  remarks.set(request, text)
}

export const remarkOn = (request: object): string | undefined => remarks.get(request)
