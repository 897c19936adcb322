// What one run knows and has done so far.
import type { Step } from '@weft/contract';
import { fingerprint } from '../crawl/judge/fingerprint.ts';
import { PageError } from '../errors.ts';
import { RunFault } from './fault.ts';
import { Guards } from './guard/guards.ts';
import { Masker } from './masker.ts';
import type { KeyedRow, PageRows } from './page-rows.ts';
import type { RunPlan } from './plan.ts';
import type { StepRepair } from './repair/step-repair.ts';
import type { KeptFile, RunCookies, WorkflowPorts } from './ports.ts';
import type { Scope } from './template/render.ts';
import { membersFrom, textOf } from './value.ts';
import type { SealedText } from './value.ts';
import type { ReadForm } from './reading/forms.ts';
import type { Row } from './reading/rows.ts';
import type { AskingState, LastRequest } from './asking.ts';

/** What one step gives holds at most so many characters of JSON. */
const OUT_CHARACTERS_MAX = 5_000_000;
const WARNINGS_MAX = 100;
const FILES_MAX = 10_000;
const REQUESTS_MAX = 50;

/** A login that HTTP sent and that was refused. */
export interface RefusedLogin {
  readonly form: ReadForm;
  /** What was filled in, by the names of its controls; undefined for a code, which is another one each time. */
  readonly typed: ReadonlyMap<string, SealedText | undefined>;
  /** The form as the page showed it once more: what is another value in it is the server's own, another one each time. */
  readonly again: ReadForm;
  /** The names of the cookies that it was sent with, or that came with the refusal. */
  readonly cookies: ReadonlySet<string>;
  /** What the run says where a browser sends the same. */
  readonly message: string;
}

/** One run's values, counts and cookies. */
export class RunState implements AskingState {
  readonly plan: RunPlan;
  readonly ports: WorkflowPorts;
  readonly guards: Guards;
  readonly masker = new Masker();
  /** Others once the run takes the session of another. */
  cookies: RunCookies;
  readonly vars: Record<string, unknown> = membersFrom([]);
  readonly outs: Record<string, unknown> = membersFrom([]);
  readonly files: KeptFile[] = [];
  readonly warnings: string[] = [];
  readonly repairs: StepRepair[] = [];
  stepsDone = 0;
  pagesAsked = 0;
  /** True once a step has begun that may change something at the far end. */
  hasChanged = false;
  /** True once a login has shown that it lasts: only then is the session kept. */
  isLoggedIn = false;
  /** Where the logins of this run led, by the address of their page. */
  readonly landings = new Map<string, string>();
  /** The logins of this run that were taken from a browser and not by HTTP, by the address of their page. */
  readonly scripted = new Set<string>();
  /** Logins that were refused by HTTP, by the address of their page. */
  readonly refusedLogins = new Map<string, RefusedLogin>();
  rowsKept = 0;
  /** What this run has kept of each key. */
  private readonly keptByKey = new Map<string, number>();
  /** The pages that are gone through now. */
  private pages: PageRows | undefined;
  /** What the HTTP lane asked for last, oldest first, without values of queries. */
  readonly lastRequests: LastRequest[] = [];
  /** The step whose rows are the run's where none says `emit`. */
  readonly rowSource: string | undefined;

  constructor(plan: RunPlan, ports: WorkflowPorts, cookies: RunCookies) {
    this.plan = plan;
    this.guards = new Guards(plan.guards);
    this.ports = ports;
    this.cookies = cookies;
    this.rowSource = rowSourceOf(plan.steps);
  }

  get personaId(): number | undefined {
    return this.plan.personaId;
  }

  countPage(): void {
    if (this.pagesAsked >= this.plan.limits.pagesMax)
      throw new RunFault(
        'timeout',
        `The run has asked for ${this.pagesAsked} pages, as many as it may; "limits": {"max_pages": ...} allows more.`,
      );
    this.pagesAsked++;
  }

  noteRequest({ method, url, status }: LastRequest): void {
    const shown = new URL(url);
    for (const name of new Set(shown.searchParams.keys())) shown.searchParams.set(name, '');
    this.lastRequests.push({ method, url: shown.href, status });
    if (this.lastRequests.length > REQUESTS_MAX) this.lastRequests.shift();
  }

  scope(bindings: Scope): Scope {
    return { inputs: this.plan.inputs, vars: this.vars, steps: this.outs, ...bindings };
  }

  /** Keeps what a step gave. */
  give(step: Step, out: unknown): void {
    if (out === undefined) return;
    const size = JSON.stringify(out).length;
    if (size > OUT_CHARACTERS_MAX)
      throw new PageError(
        'body_too_large',
        `Step ${step.id} gives ${size} characters, and at most ${OUT_CHARACTERS_MAX} are kept; give less at once, or emit rows.`,
      );
    setOwn(this.outs, step.id, { out });
    if (step.save_as !== undefined) setOwn(this.vars, step.save_as, out);
  }

  setVariable(name: string, value: unknown): void {
    setOwn(this.vars, name, value);
  }

  warn(message: string): void {
    if (this.warnings.length < WARNINGS_MAX && !this.warnings.includes(message)) this.warnings.push(message);
  }

  /** Keeps rows, each by the field that makes rows one where there is such a field; how many, of those that no page holds back. */
  async keepRows(rows: readonly Row[], dedupeKey: string | undefined): Promise<number> {
    const keyed = rows.map((row) => {
      const shown = this.masker.value(row);
      return dedupeKey === undefined ? { row: shown } : { key: keyOf(shown, dedupeKey), row: shown };
    });
    return await this.write(this.pages ? this.pages.take(keyed) : keyed);
  }

  /** Executes the body of one page: its rows are held back until `pages` lets them go. */
  async onPage(pages: PageRows, body: () => Promise<void>): Promise<void> {
    const { pages: outer } = this;
    pages.begin();
    this.pages = pages;
    try {
      await body();
    } finally {
      this.pages = outer;
    }
  }

  /** Keeps the rows that a page held back. */
  async keepHeld(pages: PageRows): Promise<void> {
    await this.write(pages.release());
  }

  private async write(rows: readonly KeyedRow[]): Promise<number> {
    const changed = this.withoutSame(rows);
    if (changed.length === 0) return 0;
    const kept = await this.ports.keepRows(changed);
    this.rowsKept += kept;
    await this.ports.tell({ type: 'data', rows: kept });
    return kept;
  }

  /** The last of each key, unless this run has kept it as it is. */
  private withoutSame(rows: readonly KeyedRow[]): readonly KeyedRow[] {
    const last = new Map(rows.map((row, place) => [row.key ?? place, row]));
    return [...last.values()].filter(({ key, row }) => {
      if (key === undefined) return true;
      const print = fingerprint(JSON.stringify(row));
      const isSame = this.keptByKey.get(key) === print;
      this.keptByKey.set(key, print);
      return !isSame;
    });
  }

  async keepFile(file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array }): Promise<KeptFile> {
    if (this.files.length >= FILES_MAX) throw new RunFault('timeout', `The run has kept ${FILES_MAX} files, as many as it may.`);
    const kept = await this.ports.keepFile({ ...file, bytes: this.masker.bytes(file.bytes) });
    this.files.push(kept);
    return kept;
  }
}

function setOwn(members: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function keyOf(row: Row, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined || value === null || value === '')
    throw new RunFault('assert', `A row has no "${name}", and rows are told apart by it.`);
  return textOf(value).slice(0, 1000);
}

/** The last step that reads rows, in the order of the workflow; none where a step says `emit`. */
export function rowSourceOf(steps: readonly Step[]): string | undefined {
  const all = allSteps(steps);
  if (all.some(({ type }) => type === 'emit')) return undefined;
  return all.findLast(({ type }) => type === 'extract' || type === 'extractList' || type === 'ai')?.id;
}

/** Every step, those inside of others behind the one that holds them. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...bodiesOf(step).flatMap(allSteps)]);
}

/** The lists of steps that a step holds. */
export function bodiesOf(step: Step): readonly (readonly Step[])[] {
  if (step.type === 'if') return [...step.branches.map(({ body }) => body), ...(step.else ? [step.else] : [])];
  return 'body' in step && Array.isArray(step.body) ? [step.body] : [];
}
