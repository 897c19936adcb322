// The lane that a run is on, and the session that it goes on with from lane to lane.
import type { Lane } from '../ports.ts';
import { documentTurn } from './document-turn.ts';
import { BrowserDriver } from './drivers/browser.ts';
import type { Driver } from './drivers/driver.ts';
import { HttpDriver } from './drivers/http.ts';
import { RunFault } from './fault.ts';
import type { LaneFault } from './fault.ts';
import type { RunPlan } from './plan.ts';
import type { StorageState } from './session.ts';
import type { RunState } from './state.ts';
import { lanesOf } from './steps/table.ts';
import type { Budget } from './time.ts';

const SETTLE_MS = 30_000;

/** Opened with the first step that needs it. */
export class Driving {
  private readonly state: RunState;
  private readonly budget: Budget;
  private readonly first: Lane;
  private opened: Driver | undefined;
  private kept: StorageState | undefined;

  constructor(state: RunState, budget: Budget, kept: StorageState | undefined) {
    this.state = state;
    this.budget = budget;
    this.first = firstLane(state.plan);
    this.kept = kept;
  }

  /** Undefined before the first step that needed one. */
  get current(): Driver | undefined {
    return this.opened;
  }

  /** The lane that the run is on, or will begin on. */
  get lane(): Lane {
    return this.opened?.lane ?? this.first;
  }

  async driver(): Promise<Driver> {
    return (this.opened ??= await this.open(this.first));
  }

  /**
   * Goes on in a browser where nothing has been changed yet at the far end; false where the run stays. `opensItself` is a step that begins
   * with the address of its page.
   */
  async switchLane(fault: LaneFault, opensItself: boolean): Promise<boolean> {
    const { plan, ports, hasChanged } = this.state;
    if (plan.lane !== 'auto' || hasChanged || this.opened?.lane !== 'http' || !ports.sessions) return false;
    const url = opensItself ? undefined : this.opened.url();
    this.kept = await this.opened.state(this.bounds());
    await this.opened.close();
    this.opened = await this.open('browser');
    await ports.tell({ type: 'lane', from: 'http', to: 'browser', reason: fault.reason });
    if (url !== undefined) await this.opened.open(url, {}, this.bounds());
    return true;
  }

  /** Goes on with what another run has kept; false where there is nothing newer. */
  async takeSession(): Promise<boolean> {
    const newer = await this.state.ports.session.readNewer();
    if (!newer) return false;
    await this.reopen(newer);
    return true;
  }

  /** Goes on with other cookies and storage, or with none. */
  async reopen(kept: StorageState | undefined): Promise<void> {
    const { lane } = this;
    await this.opened?.close();
    this.kept = kept;
    this.state.cookies = this.state.ports.cookies(kept);
    this.opened = await this.open(lane);
  }

  /** Only a run that proved itself logged in replaces a session: none that was logged out spoils it. */
  async keepSession(): Promise<void> {
    const { ports, isLoggedIn } = this.state;
    if (!isLoggedIn || !this.opened) return;
    const state = await this.opened.state(this.bounds());
    const known = ports.session.logins();
    const logins = {
      landings: { ...known.landings, ...Object.fromEntries(this.state.landings) },
      scripted: [...new Set([...known.scripted, ...this.state.scripted])],
    };
    if (state && (await ports.session.replace(state, logins)) === 'locked')
      this.state.warn('The session was not kept: the vault is locked (`weft vault unlock`), and the next run logs in again.');
  }

  async close(): Promise<void> {
    await this.opened?.close();
  }

  private bounds() {
    return { timeoutMs: SETTLE_MS, signal: this.budget.signal };
  }

  private async open(lane: Lane): Promise<Driver> {
    const { ports } = this.state;
    if (lane === 'http') return new HttpDriver(this.state, this.kept?.origins ?? [], this.state.plan.takesShells === true);
    if (!ports.sessions) throw new RunFault('browser', 'These steps act in a browser, and there is none that could hold a session here.');
    const session = await ports.sessions.open(
      {
        state: this.kept,
        ...ports.acting,
        privateTargets: ports.privateTargets,
        names: ports.names,
        beforeDocument: documentTurn(ports),
        isHeaded: this.state.plan.isHeaded,
        gathersRequests: this.state.plan.gathersRequests,
      },
      this.budget.signal,
    );
    return new BrowserDriver(session, this.state);
  }
}

/** HTTP whenever every step can go by it; the lane that was asked for, where one was. */
function firstLane(plan: Pick<RunPlan, 'lane' | 'steps' | 'finally'>): Lane {
  if (plan.lane !== 'auto') return plan.lane;
  return lanesOf([...plan.steps, ...plan.finally]).includes('http') ? 'http' : 'browser';
}
