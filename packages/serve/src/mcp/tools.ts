// What a surface offers as tools of the Model Context Protocol; the adapter asks it at each request.
import type { Actor } from '../kernel/actor.ts';
import type { Awaitable } from '../wire/message.ts';

/** One tool, as `tools/list` shows it. */
export interface McpTool {
  /** 1 to 128 of `[A-Za-z0-9_.-]`, unlike every other. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of the structured content, where that is known. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What a call of a tool came to. One that failed is told to the model, not to the protocol. */
export interface McpOutcome {
  readonly isError: boolean;
  /** Sent as text and as structured content. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Says how far a call is; what nobody asked to be told is told to nobody. */
export type McpProgress = (report: { readonly progress: number; readonly total?: number; readonly message?: string }) => void;

export interface McpTools {
  /** Those that `actor` may call, sorted by name. */
  list(actor: Actor): Awaitable<readonly McpTool[]>;
  /** Undefined for a name that the list does not have. An AppError is the outcome of the call; `signal` aborts when nobody waits any more. */
  call(
    actor: Actor,
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    tell: McpProgress,
  ): Promise<McpOutcome | undefined>;
}
