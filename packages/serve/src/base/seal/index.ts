// The one place that seals and opens.
export { SealError, openValue, sealValue } from './seal.ts';
export type { SealPlace } from './seal.ts';
export { isAcceptable, newPassphraseCost, passphraseKey } from './passphrase.ts';
