// One tool of the Model Context Protocol as the cloud's nouns offer it (D47).
import type { McpProgress } from '@weft/serve';
import type { z } from 'zod';

/** A tool, and what calls it with an input that its schema holds for. */
export interface Tool<Input extends z.ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType;
  /** `signal` aborts when nobody waits any more; `tell` says how far it is to who asked for that. */
  call(accountId: string, input: z.output<Input>, signal: AbortSignal, tell: McpProgress): Promise<Readonly<Record<string, unknown>>>;
}

/** A tool whose type the table forgets. */
export function tool<Input extends z.ZodType>(one: Tool<Input>): Tool<z.ZodType> {
  // Its input is held against its own schema before it is called.
  return one as unknown as Tool<z.ZodType>;
}
