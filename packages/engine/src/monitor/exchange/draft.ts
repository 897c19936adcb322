// A monitor that is being made of what another program has: its members, and what of it has no equivalent.
import type { Condition, ExtractorSpec, MonitorSpec, NewMonitor, TextFilter, TextStep } from '@weft/contract';
import { faultOfPattern, faultOfSelector } from '../faults.ts';
import { faultOfAddress } from './address.ts';
import type { Collector, NamedThings } from './exchange.ts';

type Mutable<Of> = { -readonly [Name in keyof Of]: Of[Name] };
type SelectorBody = NonNullable<NewMonitor['selectors']>[number];

/** Members of a filter that hold phrases. */
type PhraseList = 'ignore' | 'trigger' | 'block';

/** Of one list, as the contract takes them. */
const PHRASES_MAX = 200;
const SELECTORS_MAX = 100;

/** One monitor on its way in. */
export class Draft {
  readonly path: string;
  readonly spec: Mutable<Partial<MonitorSpec>> = {};
  readonly selectors: SelectorBody[] = [];
  readonly steps: TextStep[] = [];
  readonly conditions: Condition[] = [];
  private readonly into: Collector;
  private readonly filter: Mutable<TextFilter> = {};
  /** What waits in a browser, and which option of the other program it was. */
  private readonly waits = new Map<'wait_ms' | 'wait_for_selector', string>();
  private isLost = false;

  constructor(path: string, into: Collector) {
    this.path = path;
    this.into = into;
  }

  /** Tells what has no equivalent; the monitor watches the same without it. */
  leave(member: string, message: string): void {
    this.into.leave(member === '' ? this.path : `${this.path}.${member}`, message);
  }

  /** Tells what has no equivalent and changes what is watched: the monitor is paused. */
  pause(member: string, message: string): void {
    this.spec.active = false;
    this.leave(member, `${message} The monitor is paused: look at it before you resume it.`);
  }

  /** Tells why no monitor can be made of it. */
  lose(member: string, message: string): void {
    this.isLost = true;
    this.leave(member, `${message} No monitor is made of it.`);
  }

  set<Name extends keyof MonitorSpec>(name: Name, value: MonitorSpec[Name]): void {
    this.spec[name] = value;
  }

  setFilter<Name extends keyof TextFilter>(name: Name, value: TextFilter[Name]): void {
    this.filter[name] = value;
  }

  /** The address, where it is one that can be asked for. */
  setUrl(url: string, member: string): void {
    const fault = faultOfAddress(url);
    if (fault === undefined) this.spec.url = url;
    else this.lose(member, fault);
  }

  setName(name: string | undefined): void {
    const trimmed = name?.trim().slice(0, 200);
    if (trimmed) this.spec.name = trimmed;
  }

  /** Waits in the browser for so long, at most the 30 seconds that are possible. */
  waitMs(ms: number, member: string): void {
    this.set('wait_ms', Math.min(30_000, Math.round(ms)));
    this.waits.set('wait_ms', member);
  }

  waitFor(selector: string): void {
    const fault = faultOfSelector(selector);
    this.waits.set('wait_for_selector', 'wait_for_selector');
    if (fault === undefined) this.spec.wait_for_selector = selector;
    else this.pause('wait_for_selector', `It can't be waited for: ${fault}`);
  }

  subtract(selector: string, member: string): void {
    const fault = faultOfSelector(selector);
    if (fault === undefined) (this.filter.subtract ??= []).push(selector);
    else this.pause(member, `It can't be taken out of the page: ${fault}`);
  }

  /** Adds a phrase where it can be read; false where it can't, which is told. */
  phrase(list: PhraseList, written: string, member: string): boolean {
    if (!this.canRead(written, member)) return false;
    const phrases = (this.filter[list] ??= []);
    if (phrases.length < PHRASES_MAX) phrases.push(written);
    else this.pause(member, `At most ${PHRASES_MAX} of these are kept.`);
    return true;
  }

  /** Whether an expression is RE2, which knows neither look-around nor back-references; what it is not is told. */
  canRead(written: string, member: string): boolean {
    const fault = /^\/.+\/[a-z]*$/s.test(written) ? faultOfPattern(written) : undefined;
    if (fault !== undefined) this.pause(member, fault);
    return fault === undefined;
  }

  /** Adds a selector with its extractors; every match of it counts. */
  select(selector: string, member: string, extractors: readonly ExtractorSpec[], many = true): void {
    const fault = faultOfSelector(selector);
    if (fault !== undefined) return this.pause(member, `It can't be selected: ${fault}`);
    if (this.selectors.length >= SELECTORS_MAX) return this.pause(member, `At most ${SELECTORS_MAX} selectors are kept.`);
    this.selectors.push({ selector, ...(many ? { many } : {}), ...(extractors.length > 0 ? { extractors: [...extractors] } : {}) });
  }

  /** Hands the monitor over, unless it was lost. */
  finish(names: NamedThings = {}): void {
    if (this.isLost || this.spec.url === undefined) return;
    this.dropWaits();
    const { spec, selectors, conditions, steps } = this;
    const filter: TextFilter = { ...this.filter, ...(steps.length > 0 ? { steps } : {}) };
    const [only] = conditions;
    const monitor: NewMonitor = {
      ...spec,
      ...(Object.keys(filter).length > 0 ? { filter } : {}),
      ...(only === undefined ? {} : { when: conditions.length === 1 ? only : { all: conditions } }),
      ...(selectors.length > 0 ? { selectors } : {}),
    };
    this.into.add({ path: this.path, monitor, names });
  }

  /** What goes over HTTP alone waits for nothing. */
  private dropWaits(): void {
    const { method, lane } = this.spec;
    if (method === undefined && lane !== 'http') return;
    for (const [name, member] of this.waits) {
      if (this.spec[name] === undefined) continue;
      delete this.spec[name];
      this.leave(member, `${method === undefined ? 'It' : `A ${method}`} goes over HTTP, where nothing is waited for.`);
    }
  }
}
