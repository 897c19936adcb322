// What a command says of itself: what `--help`, `--describe`, completion and the parser all read.

export interface OptionSpec {
  /** As commander writes it: `-o, --output <file>`. */
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** May be given several times; the values reach the command as lines. */
  readonly repeats?: true;
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** As commander writes them: `<url>`, `[file]`. */
  readonly args?: readonly string[];
  readonly options?: readonly OptionSpec[];
  /** Whole command lines, for its help. */
  readonly examples?: readonly string[];
  readonly commands?: readonly CommandWords[];
}
