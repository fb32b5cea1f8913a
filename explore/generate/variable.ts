/** What stands for `NAME` of each side. */
export const variable = (name: string): string => `\${${name}}`

/** A text that nobody else sends: `${row}` is another one each time a conversation is had. */
export const unique = (text: string): string => `${text}-${variable('row')}`
