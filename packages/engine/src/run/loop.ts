// The run of a workflow: its steps in order, with conditions, tries, loops and bounds; what it comes to is a value.
import type { RunFailure, Step } from '@weft/contract';
import { PageError } from '../errors.ts';
import { takeAsked } from './candidate/asked-by-scripts.ts';
import type { TracedStep } from './candidate/traced-step.ts';
import { Driving } from './driving.ts';
import type { LoginWall } from './drivers/driver.ts';
import { keepEvidence } from './evidence.ts';
import { LaneFault, RunFault, failureOfError } from './fault.ts';
import { guardAct, guardResult } from './guard/guard-step.ts';
import { readLastPage } from './last-page.ts';
import type { LastPage } from './last-page.ts';
import { failureOfTotals, outcomeOf } from './outcome.ts';
import type { RunEnd, RunPlan } from './plan.ts';
import type { StepEvent, WorkflowPorts } from './ports.ts';
import type { StorageState } from './session.ts';
import { RunState } from './state.ts';
import { StepWork } from './step-work.ts';
import type { StepKind, StepRoom } from './step-work.ts';
import { proposeRepair } from './repair/propose.ts';
import { StopRun } from './stop-run.ts';
import { Budget, Timer } from './time.ts';
import { changes, kindOf } from './steps/table.ts';
import { renderJson } from './template/render.ts';
import type { Scope } from './template/render.ts';

const TRY_MS = 30_000;
/** A person may have to look for the code. */
const LOGIN_MS = 300_000;
const RETRY_MS = 1000;
/** What `finally` may take, whatever the steps took. */
const FINALLY_SECONDS = 60;
/** Steps that hold others take as long as those do, and one that a model goes has bounds of its own. */
const HOLDERS = new Set(['forEach', 'while', 'if', 'paginate', 'call', 'pause', 'ai']);

/**
 * Executes one run. A failure is a value; it throws PageError `aborted` once `signal` has, and whatever nobody expected.
 */
export async function runWorkflow(plan: RunPlan, ports: WorkflowPorts, signal: AbortSignal): Promise<RunEnd> {
  const kept = await ports.session.read();
  return await new RunLoop(new RunState(plan, ports, ports.cookies(kept)), kept, signal).run();
}

class RunLoop {
  private readonly state: RunState;
  private readonly signal: AbortSignal;
  private readonly driving: Driving;
  private index = 0;
  private output: unknown;
  private page: LastPage | undefined;
  private readonly trace: TracedStep[] = [];
  /** The login that the run made last, and what was bound around it. */
  private login: { readonly step: Step; readonly bindings: Scope; readonly isReused: boolean } | undefined;
  private hasChangedSinceLogin = false;
  private hasLoggedInAgain = false;
  /** Pauses the clock of the run while a person acts. */
  private readonly budget: Budget;

  constructor(state: RunState, kept: StorageState | undefined, signal: AbortSignal) {
    this.state = state;
    this.signal = signal;
    this.budget = new Budget(state.plan.limits.secondsMax, state.ports.clock, signal);
    this.driving = new Driving(state, this.budget, kept);
  }

  async run(): Promise<RunEnd> {
    const { plan } = this.state;
    try {
      let failure = (await this.part(plan.steps, 'steps')) ?? (await this.takePage());
      if (plan.finally.length > 0) {
        this.budget.renew(FINALLY_SECONDS);
        const late = await this.part(plan.finally, 'finally');
        if (late && failure) this.state.warn(`finally failed: ${late.message}`);
        failure ??= late;
      }
      const ended = failure ?? failureOfTotals(this.state) ?? this.failureOfOutput();
      if (!ended) await this.driving.keepSession();
      const bounds = { timeoutMs: TRY_MS, signal: this.budget.signal };
      const isAsked = plan.gathersRequests === true && !ended;
      const asked = isAsked ? await takeAsked(this.driving.current, this.state.masker, bounds) : undefined;
      return outcomeOf(this.state, this.driving, { failure: ended, output: this.output, page: this.page, trace: this.trace, asked });
    } finally {
      this.budget.end();
      await this.driving.close();
    }
  }

  /** Steps of the workflow or of its end; their failure. */
  private async part(steps: readonly Step[], name: string): Promise<RunFailure | undefined> {
    try {
      await this.steps(steps, name === 'steps' ? [] : [name], {}, false);
      return undefined;
    } catch (error) {
      this.requireUnstopped();
      if (error instanceof StopRun)
        return error.status === 'failed' ? { code: 'assert', message: error.message, step_id: error.stepId } : undefined;
      const failure = this.failureOf(error);
      return error instanceof Error && failedAt.has(error) ? { ...failure, step_id: failedAt.get(error) ?? '' } : failure;
    }
  }

  /** What ended a part of the run. That its time is over is a failure like others: the end is still executed. Throws what is none. */
  private failureOf(error: unknown): RunFailure {
    const failure = failureOfError(this.budget.signal.aborted ? this.outOfTime() : error);
    if (!failure) throw error;
    return { ...failure, message: this.state.masker.text(failure.message) };
  }

  private async steps(steps: readonly Step[], path: readonly (string | number)[], bindings: Scope, isPaging: boolean): Promise<void> {
    for (let place = 0; place < steps.length;) {
      const step = steps[place] as Step;
      const target = await this.step(step, [...path, place], bindings, isPaging);
      const found = target === undefined ? -1 : steps.findIndex(({ id }) => id === target);
      place = found >= 0 ? found : place + 1;
      if (step.id === this.state.plan.until) throw new StopRun('succeeded', step.id, `The dry run ended at ${step.id}.`);
    }
  }

  /** Executes one step; the id of the step to go on at, where its failure says so. */
  private async step(step: Step, path: readonly (string | number)[], bindings: Scope, isPaging: boolean): Promise<string | undefined> {
    this.requireLive();
    this.countStep();
    if (path.length === 1)
      this.trace.push({ id: step.id, url: this.driving.current?.url(), writes: this.driving.current?.session?.writes() ?? 0 });
    const telling = this.telling(step, path);
    const startedMs = this.state.ports.clock.steadyMs();
    const times = step.retry?.times ?? 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const work = await this.attempt(step, path, bindings, isPaging, attempt, telling);
        if (!work) return undefined;
        await telling('succeeded', attempt, {
          ...this.whereOf(work),
          ...(work.hasOpened ? await robotsOf(work) : {}),
          duration_ms: this.state.ports.clock.steadyMs() - startedMs,
        });
        return undefined;
      } catch (error) {
        this.requireLive();
        if (error instanceof StopRun) {
          await telling('succeeded', attempt, { duration_ms: this.state.ports.clock.steadyMs() - startedMs });
          throw error;
        }
        if (error instanceof LaneFault && (await this.driving.switchLane(error, step.type === 'login'))) {
          attempt--;
          continue;
        }
        const message = this.messageOf(error);
        const behindLogin = path.length === 1 ? this.stepBehindStaleLogin(error) : undefined;
        if (behindLogin !== undefined) {
          await telling('retrying', attempt, { message });
          await this.renewLogin();
          return behindLogin;
        }
        if (attempt <= times && failureOfError(error)) {
          await telling('retrying', attempt, { message });
          const { clock } = this.state.ports;
          await clock.sleepUntil(clock.steadyMs() + (step.retry?.delay_ms ?? RETRY_MS), this.budget.signal);
          this.requireLive();
          continue;
        }
        await telling('failed', attempt, { message, duration_ms: this.state.ports.clock.steadyMs() - startedMs });
        return await this.settleFailure(step, error, message);
      }
    }
  }

  /** What a step's failure leads to. Throws the failure where the run fails by it. */
  private async settleFailure(step: Step, error: unknown, message: string): Promise<string | undefined> {
    const isBounded = this.budget.signal.aborted || (error instanceof RunFault && error.code === 'timeout');
    const { on_error: onError = 'fail' } = step;
    if (onError !== 'fail' && !isBounded && failureOfError(error)) {
      this.state.warn(`${step.id}: ${message}`);
      return onError.startsWith('goto:') ? onError.slice('goto:'.length) : undefined;
    }
    if (error instanceof Error && !failedAt.has(error)) {
      failedAt.set(error, step.id);
      if (this.state.plan.keepsEvidence !== false) await keepEvidence(step.id, this.driving.current, this.state, this.signal);
      await this.propose(step, error);
    }
    throw error;
  }

  /** Says where the element of a step that lost it may stand now. */
  private async propose(step: Step, error: Error): Promise<void> {
    const { ports, repairs } = this.state;
    try {
      const repair = await proposeRepair(step, error, this.driving.current, this.state, { timeoutMs: TRY_MS, signal: this.budget.signal });
      if (!repair) return;
      repairs.push(repair);
      const message = `${step.id} may find its element otherwise now: a repair is proposed, for a person to accept.`;
      await ports.tell({ type: 'log', level: 'warn', message });
    } catch (late) {
      // A page that can't be read proposes nothing; what failed is told already.
      if (!failureOfError(late)) throw late;
    }
  }

  /** One try; undefined where the step was skipped. */
  private async attempt(
    step: Step,
    path: readonly (string | number)[],
    bindings: Scope,
    isPaging: boolean,
    attempt: number,
    telling: Telling,
  ): Promise<StepWork | undefined> {
    const timeoutMs =
      step.timeout ?? (HOLDERS.has(step.type) ? undefined : step.type === 'login' || step.type === 'otp' ? LOGIN_MS : TRY_MS);
    const timer = new Timer(timeoutMs, this.state.ports.clock, this.budget.signal);
    const room: StepRoom = {
      state: this.state,
      scope: this.state.scope(bindings),
      signal: timer.signal,
      timeoutMs: timeoutMs ?? TRY_MS,
      isPaging,
      hasChanged: this.state.hasChanged,
      driver: () => this.driving.driver(),
      takeSession: () => this.driving.takeSession(),
      dropSession: () => this.driving.reopen(undefined),
      keepSession: () => this.driving.keepSession(),
      logInAgain: (wall) => this.logInAgain(wall),
      body: (steps, name, inner, paging) => this.steps(steps, [...path, name], { ...bindings, ...inner }, paging ?? isPaging),
      whilePersonActs: async (message, wait) => {
        await telling('waiting_human', attempt, { message });
        return await this.budget.whilePaused(() => wait(this.signal));
      },
    };
    const work = new StepWork(room);
    try {
      if (attempt === 1 && step.when !== undefined && !(await work.holds(step.when))) {
        await telling('skipped', attempt, {});
        return undefined;
      }
      if (attempt === 1) await telling('started', attempt, {});
      // The table pairs each type with the kind of its own steps.
      const kind = kindOf(step.type) as StepKind;
      const pins = this.state.plan.pins ?? {};
      if (Object.hasOwn(pins, step.id)) {
        this.state.give(step, pins[step.id]);
        return work;
      }
      await guardAct(step, work);
      if (changes(step)) this.state.hasChanged = this.hasChangedSinceLogin = true;
      const out = await kind.run(step, work);
      await guardResult(step, out, work);
      this.state.give(step, out);
      if (step.type === 'login') {
        this.login = { step, bindings, isReused: (out as { readonly reused: boolean }).reused };
        this.hasChangedSinceLogin = false;
      }
      return work;
    } catch (error) {
      // The form was not sent, or it was that of a login that was not taken: nothing is done at the far end that a browser would do twice.
      if (error instanceof LaneFault && (step.type === 'login' || error.reason === 'scripted_form'))
        this.state.hasChanged = room.hasChanged;
      if (timer.isOver && !this.budget.signal.aborted)
        throw new PageError('timeout', `Step ${step.id} took longer than ${timeoutMs} ms; "timeout" gives it more.`, { cause: error });
      throw error;
    } finally {
      timer.end();
    }
  }

  private countStep(): void {
    const { plan, stepsDone } = this.state;
    if (stepsDone >= plan.limits.stepsMax)
      throw new RunFault(
        'timeout',
        `The run has executed ${stepsDone} steps, as many as it may; "limits": {"max_steps": ...} allows more.`,
      );
    this.state.stepsDone++;
  }

  /**
   * Where a login that was reused shows nothing of what was there in good runs, its session may be worth nothing though pages say that it
   * is: the step to go on at behind a new one. Only where nothing was changed and kept since, and once.
   */
  private stepBehindStaleLogin(error: unknown): string | undefined {
    const { login, state, hasLoggedInAgain, hasChangedSinceLogin } = this;
    if (!(error instanceof RunFault) || error.code !== 'no_rows' || login?.isReused !== true) return undefined;
    if (hasLoggedInAgain || hasChangedSinceLogin || state.rowsKept > 0 || !state.guards.knowRows) return undefined;
    const place = state.plan.steps.findIndex(({ id }) => id === login.step.id);
    return place < 0 ? undefined : state.plan.steps[place + 1]?.id;
  }

  /** Logs in without the session that there was; where another run has done so meanwhile, with that one's. */
  private async renewLogin(): Promise<void> {
    const { login, state } = this;
    if (!login) return;
    this.hasLoggedInAgain = true;
    const message = `${login.step.id} was logged in by its session, and what was there is gone: it logs in anew.`;
    await state.ports.tell({ type: 'log', level: 'warn', message });
    state.isLoggedIn = false;
    await this.driving.reopen(undefined);
    await this.step({ ...login.step, on_error: 'fail' }, ['login_lost'], login.bindings, false);
  }

  private async logInAgain(wall: LoginWall): Promise<void> {
    const { login, state } = this;
    if (!login || !state.isLoggedIn) throw wall;
    state.isLoggedIn = false;
    if (this.hasLoggedInAgain) throw new RunFault('blocked', `The session was lost again (login_lost): ${wall.message}`);
    this.hasLoggedInAgain = true;
    const message = state.masker.text(`The session was lost (login_lost), and ${login.step.id} logs in once more: ${wall.message}`);
    await state.ports.tell({ type: 'log', level: 'warn', message });
    try {
      await this.step({ ...login.step, on_error: 'fail' }, ['login_lost'], login.bindings, false);
    } catch (error) {
      this.requireLive();
      const failure = failureOfError(error);
      if (!failure) throw error;
      throw new RunFault('blocked', `The session was lost (login_lost), and could not be had again: ${failure.message}`);
    }
  }

  private telling(step: Step, path: readonly (string | number)[]): Telling {
    const index = this.index++;
    return async (status, attempt, more) => {
      this.requireLive();
      const { message, ...rest } = more;
      const lane = rest.lane ?? this.driving.current?.lane;
      await this.state.ports.tell({
        type: 'step',
        index,
        step_type: step.type,
        step_id: step.id,
        path,
        status,
        attempt,
        ...rest,
        ...(lane === undefined ? {} : { lane }),
        ...(message === undefined ? {} : { message: this.state.masker.text(message) }),
      });
    };
  }

  private whereOf({ url, lane }: StepWork): Pick<StepEvent, 'url' | 'lane'> {
    return { ...(url === undefined ? {} : { url: this.state.masker.text(url) }), ...(lane === undefined ? {} : { lane }) };
  }

  private messageOf(error: unknown): string {
    const message = failureOfError(error)?.message ?? 'Something unexpected failed.';
    return this.state.masker.text(message);
  }

  /** Takes the page that is open where it is asked for; why it could not be had. */
  private async takePage(): Promise<RunFailure | undefined> {
    if (this.state.plan.givesPage !== true) return undefined;
    try {
      this.page = await readLastPage(this.driving.current, this.state.masker, { timeoutMs: TRY_MS, signal: this.budget.signal });
      return undefined;
    } catch (error) {
      this.requireUnstopped();
      return this.failureOf(error);
    }
  }

  private failureOfOutput(): RunFailure | undefined {
    if (this.state.plan.output === undefined) return undefined;
    try {
      this.output = renderJson(this.state.plan.output, this.state.scope({}));
      return undefined;
    } catch (error) {
      return failureOfError(error);
    }
  }

  private requireLive(): void {
    this.requireUnstopped();
    if (this.budget.signal.aborted) throw this.outOfTime();
  }

  private requireUnstopped(): void {
    if (this.signal.aborted) throw new PageError('aborted', 'The run was stopped.');
  }

  private outOfTime(): RunFault {
    return new RunFault(
      'timeout',
      `The run has worked for ${this.budget.seconds} seconds, as long as it may; "limits": {"max_seconds": ...} allows more.`,
    );
  }
}

type Telling = (
  status: StepEvent['status'],
  attempt: number,
  more: Partial<Pick<StepEvent, 'url' | 'lane' | 'message' | 'robots' | 'duration_ms'>>,
) => Promise<void>;

async function robotsOf(work: StepWork): Promise<Pick<StepEvent, 'robots'>> {
  const robots = await work.robots();
  return robots ? { robots } : {};
}

/** The step that an error ended, innermost first. */
const failedAt = new WeakMap<Error, string>();
