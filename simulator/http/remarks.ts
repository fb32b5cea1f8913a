/** Why requests were refused, for those who run the simulator: the client often learns less. */
const remarks = new WeakMap<object, string>()

/** Keeps a remark for as long as its request. It may repeat what the client sent, but no secret. */
export function remark(request: object, text: string): void {
  remarks.set(request, text)
}

export const remarkOn = (request: object): string | undefined => remarks.get(request)
