/** Whether a successful answer fits its schema, by operation and basis. The build writes it from openapi.yaml. */

/** Of that text. */
export const digest: string

export const fits: Readonly<Record<string, ((body: unknown) => boolean) | undefined>>
