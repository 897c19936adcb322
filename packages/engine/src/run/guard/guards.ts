// Holds what a run sees at its steps against what good runs saw there, and keeps it for later ones.
import type { Step } from '@weft/contract';
import type { TargetBaseline } from '../../monitor/target/baseline.ts';
import { RunFault } from '../fault.ts';
import type { ReadingResult } from '../reading/read-page.ts';
import type { ElementPrint } from '../session.ts';
import { lostNameOf, misfitOfCounts, misfitOfElement, misfitOfFields, misfitOfPage } from './rules.ts';
import type { Misfit } from './rules.ts';
import { NO_SHAPE, addShapes, shapeOf } from './seen.ts';
import type { PagePrint } from '../../page/page-print.ts';
import type { GoodReading, ShapeSeen, StepSeen } from './seen.ts';

/** What good runs of the same revision saw, newest first, by the ids of steps. */
export type GoodReadings = Readonly<Record<string, readonly GoodReading[]>>;

/** The page that values come from. */
interface ReadFrom {
  readonly page: ReadingResult['page'];
  readonly url: string;
}

/** Of one kind at one step; more are not told apart. */
const PRINTS_MAX = 20;
const NOTHING: StepSeen = { elements: [], pages: [], shape: NO_SHAPE, times: 0 };

/** A guard that failed. */
export class GuardFault extends RunFault {
  readonly stepId: string;

  constructor(stepId: string, { code, guard, message }: Misfit) {
    super(code, `${stepId} ${message} Its guard (${guard}) ends the run; where the change is right, forget what the guards know.`);
    this.stepId = stepId;
  }
}

/** The guards of one run. */
export class Guards {
  private readonly good: GoodReadings;
  private readonly isOff: boolean;
  private readonly seenAt = new Map<string, StepSeen>();
  private hasFailed = false;

  /** Off without `good`. */
  constructor(good: GoodReadings | undefined) {
    this.good = good ?? {};
    this.isOff = good === undefined;
  }

  isOn(step: Step): boolean {
    return !this.isOff && step.guard !== 'off';
  }

  /** As the rule of this name. */
  lostNameOf(step: Step, print: ElementPrint): string | undefined {
    return lostNameOf(print, this.readingsOf(step.id));
  }

  /** `elsewhere` is the name that was lost, where the page has it elsewhere. Throws GuardFault. */
  element(step: Step, print: ElementPrint, elsewhere: string | undefined): void {
    if (!this.isOn(step)) return;
    this.require(step.id, misfitOfElement(print, this.readingsOf(step.id), elsewhere));
    this.note(step.id, (seen) => ({ ...seen, elements: withPrint(seen.elements, print) }));
  }

  /** What tells the element of a step apart, as the newest run knows it. */
  targetOf(id: string): TargetBaseline | undefined {
    return this.readingsOf(id).find(({ seen }) => seen.target)?.seen.target;
  }

  noteTarget(id: string, target: TargetBaseline | undefined): void {
    if (target) this.note(id, (seen) => ({ ...seen, target }));
  }

  /** True where the element has said the same in several good runs. */
  isSteady(id: string): boolean {
    const names = this.readingsOf(id).flatMap(({ seen }) => seen.elements.map(({ name }) => name));
    return names.length > 1 && new Set(names).size === 1;
  }

  /** Throws GuardFault. */
  page(step: Step, print: PagePrint | undefined, url: string): void {
    if (!this.isOn(step) || !print) return;
    this.require(step.id, misfitOfPage(print, url, this.readingsOf(step.id)));
    this.note(step.id, (seen) => ({ ...seen, pages: withPrint(seen.pages, print) }));
  }

  /** Rows or an answer, with the page that they come from. Throws GuardFault. */
  values(step: Step, values: unknown, from?: ReadFrom): void {
    if (!this.isOn(step)) return;
    if (from) this.page(step, from.page, from.url);
    const shape = shapeOf(values);
    this.require(step.id, this.misfitOfShape(step, shape));
    this.note(step.id, (seen) => ({ ...seen, shape: addShapes(seen.shape, shape), times: seen.times + 1 }));
  }

  /** What `values` would refuse these for. */
  misfitOfValues(step: Step, values: unknown, { page, url }: ReadFrom): Misfit | undefined {
    if (!this.isOn(step)) return undefined;
    return (page && misfitOfPage(page, url, this.readingsOf(step.id))) ?? this.misfitOfShape(step, shapeOf(values));
  }

  private misfitOfShape({ id }: Step, shape: ShapeSeen): Misfit | undefined {
    const readings = this.readingsOf(id);
    // The rows of a step that is executed many times are counted at the end.
    const isOnce = readings.every(({ seen }) => seen.times === 1);
    return misfitOfFields(shape, readings) ?? (isOnce ? misfitOfCounts(shape, readings) : undefined);
  }

  /** What the run comes to as a whole. Throws GuardFault. */
  requireTotals(): void {
    for (const [id, { shape, times }] of this.seenAt) if (times > 0) this.require(id, misfitOfCounts(shape, this.readingsOf(id)));
  }

  /** True where good runs found rows. */
  get knowRows(): boolean {
    return Object.values(this.good).some((readings) => readings.some(({ seen }) => (seen.shape.counts[''] ?? 0) > 0));
  }

  /** What later runs are held against; nothing where a guard failed, whatever the step made of it. */
  seen(): Readonly<Record<string, StepSeen>> {
    return this.hasFailed ? {} : Object.fromEntries(this.seenAt);
  }

  private readingsOf(id: string): readonly GoodReading[] {
    return Object.hasOwn(this.good, id) ? (this.good[id] ?? []) : [];
  }

  private require(id: string, misfit: Misfit | undefined): void {
    if (!misfit) return;
    this.hasFailed = true;
    throw new GuardFault(id, misfit);
  }

  private note(id: string, change: (seen: StepSeen) => StepSeen): void {
    this.seenAt.set(id, change(this.seenAt.get(id) ?? NOTHING));
  }
}

function withPrint<T>(prints: readonly T[], print: T): readonly T[] {
  const text = JSON.stringify(print);
  return prints.length >= PRINTS_MAX || prints.some((seen) => JSON.stringify(seen) === text) ? prints : [...prints, print];
}
