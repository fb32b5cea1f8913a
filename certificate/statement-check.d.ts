/** Compiled by tools/build/build-checks.mjs from statement.schema.json. */
export function isStatement(value: unknown): boolean
