// What a robots.txt file says, as data.
import type { PageErrorCode } from '../errors.ts';
import type { Reach } from '../ports.ts';

/** One `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The path pattern, percent-encoded as a URL carries it; `*` and a final `$` are special. */
  readonly pattern: string;
  /** The line as the file has it, without its comment. */
  readonly text: string;
  /** Counted from 1; CR, LF and CRLF each end a line. */
  readonly line: number;
}

/** A `Content-Signal` line, kept as written. */
export interface ContentSignal {
  readonly value: string;
  readonly line: number;
}

/** The rules that follow one run of `User-agent` lines. */
export interface RobotsGroup {
  /** Lower-case product tokens; `*` stands for everyone. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelaySeconds: number | undefined;
  readonly contentSignals: readonly ContentSignal[];
}

/** Why a host could not even be asked for its file: its pages fail with the same code, and are asked for as little. */
export interface UnaskedHost {
  readonly code: 'address' | 'dns' | 'connect' | 'tls' | 'rate_limited';
  /** A sentence for people. */
  readonly message: string;
}

/** Why a file could not be read of a host that was asked for it: what it forbids until then is the host's trouble, and not its wish. */
export interface UnreadFile {
  readonly code: PageErrorCode;
  /** A sentence for people. */
  readonly message: string;
  /** Of the answer, where there was one. */
  readonly status?: number;
}

/** A whole file, or what stands for it when there was none to read. */
export interface RobotsRules {
  /** `allow_all` and `disallow_all` come from the answer's status (RFC 9309, 2.3.1), never from the text. */
  readonly access: 'rules' | 'allow_all' | 'disallow_all';
  /** Why `access` is not `rules`: a phrase for people, such as `robots.txt answered 503`. */
  readonly note: string | undefined;
  /** Where the host answered with its own file; absent where another host did, or none. */
  readonly reach?: Reach;
  /** Set where the host could not be asked; `access` is `disallow_all` then. */
  readonly unasked?: UnaskedHost;
  /** Set where the host was asked and there was no file to read; likewise. */
  readonly unread?: UnreadFile;
  readonly groups: readonly RobotsGroup[];
  /** Values of the `Sitemap` lines, unresolved, in order. */
  readonly sitemaps: readonly string[];
  /** True when the text went on beyond the size that is read. */
  readonly isCut: boolean;
  /** When the host was asked for it, in epoch milliseconds; absent for a text that came otherwise. */
  readonly askedMs?: number;
}

/** Everything that applies to one agent: its groups merged, or those of `*` where it has none. */
export interface AgentRules {
  /** Most specific first: in this order, the first rule that matches decides. */
  readonly rules: readonly RobotsRule[];
  /** The longest delay that the merged groups name. */
  readonly crawlDelaySeconds: number | undefined;
  readonly contentSignals: readonly ContentSignal[];
}
