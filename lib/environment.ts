/** A variable whose name is data, such as `toString`, which the prototype of `process.env` has. */
export const variableIn = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] : undefined
