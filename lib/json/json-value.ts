export type JsonValue = null | boolean | number | JsonNumber | string | JsonValue[] | JsonObject

/** Every member is an own property, including `__proto__`. Check external names with `Object.hasOwn`. */
export interface JsonObject {
  [name: string]: JsonValue
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export const isNumberText = (text: string): boolean => numberForm.test(text)

/** A number that a double does not preserve: `9223372036854775807`, `1.50`, `1e3`, `-0`. */
export class JsonNumber {
  readonly text: string

  /** Throws a RangeError. */
  constructor(text: string) {
    if (!numberForm.test(text)) throw new RangeError(`not a JSON number: ${JSON.stringify(text.slice(0, 40))}`)
    this.text = text
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}
