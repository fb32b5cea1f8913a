/** The build compiles it from openapi.yaml. */

export const fits: Readonly<Record<string, ((body: unknown) => boolean) | undefined>>
