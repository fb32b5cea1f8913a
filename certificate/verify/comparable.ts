/** JSON without file positions, which do not affect requests and expectations. */
export const comparable = (value: object): string =>
  JSON.stringify(value, (name, member: unknown) => (name === 'source' ? undefined : member))
