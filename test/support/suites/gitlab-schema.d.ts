/** Type of the schema of GitLab pipelines in the package gitlab-ci-local. */
declare module 'gitlab-ci-local/src/schema/schema.js' {
  export const schema: object
}
