/** The build compiles it from openapi.yaml. */

export const digest: string

export const fits: Readonly<Record<string, ((body: unknown) => boolean) | undefined>>
