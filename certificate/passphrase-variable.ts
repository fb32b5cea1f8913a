/** Holds the passphrase of a key that signs. Of the environment; on the command line everybody could read it. */
export const passphraseVariable = 'CONFORM_KEY_PASSPHRASE'
