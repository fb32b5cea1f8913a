/** As text, without the line of a file that it comes from: that says nothing of what is sent and expected. */
export const comparable = (value: object): string =>
  JSON.stringify(value, (name, member: unknown) => (name === 'source' ? undefined : member))
