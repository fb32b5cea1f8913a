/** A reference as it came: an empty text stands for nothing given. */
export interface VettingReference {
  id: string
  name: string
  version: string
}
