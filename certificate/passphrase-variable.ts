/** An option would show the passphrase in process lists. */
export const passphraseVariable = 'CONFORM_KEY_PASSPHRASE'
