// Tells trouble of a site from trouble of the machine: where many hosts can't be reached at once and none can, the machine is offline.
import type { PageErrorCode } from '../errors.ts';

/** Hosts that could not be reached, with none between them that could. */
const HOSTS_MIN = 3;
/** What a machine without a network meets. */
const CONNECTION = ['dns', 'connect', 'timeout'] as const satisfies readonly PageErrorCode[];
/** Why a host could not be reached. */
export type Unreached = (typeof CONNECTION)[number];
/** While it is offline one check in so long finds out whether it still is. */
const PROBE_MS = 15_000;
/** Hosts that are asked again before the machine is taken for offline: one or two of them may be down with the others. */
const WITNESSES_MAX = 3;

/** A host that has answered, and how to ask it again. */
export interface AnsweringHost {
  readonly origin: string;
  readonly privateTargets: readonly string[];
}

/** Whether a request that ended so may have ended because the machine is offline. */
export function isUnreached(code: string | undefined): code is Unreached {
  return CONNECTION.some((each) => each === code);
}

/** What the last answers of all hosts say of the network. One for all checks of a program. */
export class NetworkWatch {
  /** Origins that were silent since any answered. */
  private readonly silent = new Set<string>();
  /** Origins that were silent while others answered, and have not answered since: their trouble is their own. */
  private readonly down = new Set<string>();
  /** Those that answered last, newest first. */
  private witnesses: readonly AnsweringHost[] = [];
  private readonly onChange: (isOffline: boolean) => void;
  private isOffline = false;
  private triedMs = Number.NEGATIVE_INFINITY;
  private inquiry: Promise<boolean> | undefined;

  /** `onChange` is told when the machine goes offline, and when it is back. */
  constructor(onChange: (isOffline: boolean) => void = () => undefined) {
    this.onChange = onChange;
  }

  /** Whether a host may be asked at `steadyMs`: offline, one check at a time finds out. */
  mayTry(steadyMs: number): boolean {
    if (this.isOffline && steadyMs - this.triedMs < PROBE_MS) return false;
    this.triedMs = steadyMs;
    return true;
  }

  /** Notes that `host` answered, whatever it said. */
  answered(host: AnsweringHost): void {
    for (const origin of this.silent) this.down.add(origin);
    this.silent.clear();
    this.down.delete(host.origin);
    this.witnesses = [host, ...this.witnesses.filter(({ origin }) => origin !== host.origin)].slice(0, WITNESSES_MAX);
    this.turn(false);
  }

  /**
   * Notes that `origin` could not be reached; true where that is because the machine is offline. Where that seems so, `ask` finds out
   * whether one of the hosts that answered last still does.
   */
  async failed(origin: string, code: PageErrorCode, ask: (host: AnsweringHost) => Promise<boolean>): Promise<boolean> {
    if (!isUnreached(code)) return false;
    if (!this.down.has(origin)) this.silent.add(origin);
    if (this.isOffline || this.silent.size < HOSTS_MIN) return this.isOffline;
    this.inquiry ??= this.inquire(ask).finally(() => (this.inquiry = undefined));
    return await this.inquiry;
  }

  private async inquire(ask: (host: AnsweringHost) => Promise<boolean>): Promise<boolean> {
    for (const host of this.witnesses) {
      if (!this.silent.has(host.origin) && (await ask(host))) this.answered(host);
      if (this.silent.size < HOSTS_MIN) return false;
    }
    this.turn(true);
    return true;
  }

  private turn(isOffline: boolean): void {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.onChange(isOffline);
  }
}
