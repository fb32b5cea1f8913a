declare module 'gitlab-ci-local/src/schema/schema.js' {
  export const schema: object
}
