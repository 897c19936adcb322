// What a build asks of the outside. All of it is asynchronous: answers, progress and pages may lie in another process (D54).
import type { AskingPorts } from '../crawl/hosts/paced-fetcher.ts';
import type { NameMemory } from '../ports.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { WorkflowPorts } from '../run/ports.ts';
import type { BrowserSessions, StorageState } from '../run/session.ts';
import type { Catalogue } from './evidence/catalogue.ts';
import type { Rung } from './ladder.ts';
import type { BuildOptions } from './options.ts';
import type { RungFinding } from './rung.ts';

/** What a build stands on. */
export interface BuildPorts extends AskingPorts {
  readonly clock: AskingPorts['clock'];
  /** Reads pages in a thread of its own. */
  readonly views: ViewReader;
  /** Absent where there is no browser: the rendered rung then fetches no page. */
  readonly sessions?: BrowserSessions | undefined;
  /** Cookies of one job, empty or those of a session. */
  readonly cookies: WorkflowPorts['cookies'];
  /** What pages are asked as: cookies and storage of a persona; none unless given. */
  readonly state?: StorageState | undefined;
  /** Private addresses that the caller named, as `host:port` (D31). */
  readonly privateTargets: readonly string[];
  readonly names: NameMemory;
  /** Keeps the bytes of an answer under their SHA-256, for `verifyCertificate` to read. */
  readonly keepAnswer: (sha256: string, bytes: Uint8Array) => Promise<void>;
  /** Tells what happens; nothing is told of a build that was stopped. */
  readonly tell: (progress: BuildProgress) => Promise<void>;
  /**
   * Asked before each page, answer and step of a model, with its price in credits (D43). False ends the rung with what it has, as a spent
   * budget does.
   */
  readonly spend: (credits: number) => Promise<boolean>;
  /** A new build id, for a rung that replaces another. */
  readonly newBuildId: () => string;
  /** A word that no site knows, for negative inputs: 12 small letters, another one at each call. */
  readonly nonsense: () => string;
  /** The supervising call; absent without a model. At most one call a build; never throws but `aborted`. */
  readonly supervise?: ((request: SuperviseRequest, signal: AbortSignal) => Promise<Supervised>) | undefined;
  /** The AI rung; absent without a model. */
  readonly sweep?: ((context: SweepContext, signal: AbortSignal) => Promise<RungFinding>) | undefined;
}

/** What the supervising call is made of. */
export interface SuperviseRequest {
  readonly url: string;
  readonly objective: string;
  readonly catalogue: Catalogue;
  /** `draft`: functions, names, inputs. `rank`: order and names alone, for a discovery. */
  readonly task: 'draft' | 'rank';
}

/** What the call gave, and what it took. */
export interface Supervised {
  /** As it came, parsed; not to be trusted. Absent where there is none. */
  readonly draft?: unknown;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Why there is no draft, or why it was cut. */
  readonly reason?: string;
}

/** What the AI rung knows when it begins. */
export interface SweepContext {
  readonly buildId: string;
  readonly options: BuildOptions;
  readonly ports: BuildPorts;
  /** What the rungs before it have found. */
  readonly catalogue: Catalogue;
}

/** What a build tells of itself while it goes on. */
export type BuildProgress =
  | { readonly type: 'rung'; readonly buildId: string; readonly rung: Rung; readonly status: string; readonly reason?: string }
  | { readonly type: 'page'; readonly buildId: string; readonly url: string; readonly status?: number; readonly message?: string }
  /** The site lets wait since `sinceMs` (epoch milliseconds): for its turn, or for its answer. */
  | { readonly type: 'waiting'; readonly host: string; readonly sinceMs: number }
  | { readonly type: 'found'; readonly buildId: string; readonly candidates: number }
  | { readonly type: 'proof'; readonly buildId: string; readonly function: string; readonly state: string; readonly reason: string };
