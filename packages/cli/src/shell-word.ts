// Values in command lines that are printed to be typed again.

/** `text` as one word of a shell: as it is where no shell sees more in it, else between single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
