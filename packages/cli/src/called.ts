// The name by which the program was called: hints must be commands that can be typed.

/** `text` with every command line of `weft` that it names under the name `called`; `names` are the commands there are. Text that is no command stays. */
export function asCalled(text: string, called: string, names: readonly string[]): string {
  if (called === 'weft') return text;
  const command = new RegExp(`(?<![\\w./-])weft (?=(?:${names.join('|')})(?![\\w-])|--(?:help|version)\\b|<)`, 'g');
  return text.replace(command, () => `${called} `);
}
