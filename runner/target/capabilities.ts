/** What a target can or cannot do, by the names that rows need; a text says why it cannot. */
export type Capabilities = Readonly<Record<string, boolean | string>>
