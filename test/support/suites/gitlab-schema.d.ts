/** The schema of GitLab's pipelines, as a tool that runs them brings it along: plain JavaScript, without types. */
declare module 'gitlab-ci-local/src/schema/schema.js' {
  export const schema: object
}
