// What comes in from other programs and goes out as configuration: monitors with the place where each stood, and what has no equivalent.
import type { MonitorFormat, NewMonitor } from '@weft/contract';
import type { LeftOut } from '../../run/exchange/untrusted.ts';

/** A file of another program, or of ours. */
export interface ImportRequest {
  /** Found out by its content unless said. */
  readonly format: MonitorFormat | undefined;
  readonly content: Uint8Array;
}

/** One monitor as a file has it. What it names, by name: of nobody's ids a file knows. */
export interface ReadMonitor {
  /** Where it stood. */
  readonly path: string;
  /** Not checked against the contract yet; members that name other things by id are absent. */
  readonly monitor: NewMonitor;
  /** Workflow by slug, persona and channels by name; absent where there is none. */
  readonly names: NamedThings;
  /** By which automations of the file name it. */
  readonly number?: number;
}

/** What a monitor or a tag names: by name, or by the id that it has here. */
export interface NamedThings {
  readonly workflow?: string | number;
  readonly persona?: string | number;
  readonly channels?: readonly (string | number)[];
}

/** A tag with the settings that it passes on. */
export interface ReadTag {
  readonly path: string;
  readonly name: string;
  /** Not checked against the contract yet. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly names: NamedThings;
}

/** A channel or an automation as a file has it, not checked against the contract yet. */
export interface ReadEntry {
  readonly path: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** All that a file holds. */
export interface ImportResult {
  readonly format: MonitorFormat;
  readonly monitors: readonly ReadMonitor[];
  readonly tags: readonly ReadTag[];
  readonly channels: readonly ReadEntry[];
  readonly automations: readonly ReadEntry[];
  readonly leftOut: readonly LeftOut[];
}

/** Monitors of one file at most. */
export const MONITORS_MAX = 10_000;
/** Lines on what is left out, at most; then one that counts the rest. */
export const LEFT_OUT_MAX = 20_000;

/** Collects what a file comes to. */
export class Collector {
  readonly monitors: ReadMonitor[] = [];
  readonly tags = new Map<string, ReadTag>();
  readonly channels: ReadEntry[] = [];
  readonly automations: ReadEntry[] = [];
  private readonly notes: LeftOut[] = [];
  private unsaid = 0;

  leave(path: string, message: string): void {
    if (this.notes.length < LEFT_OUT_MAX) this.notes.push({ path, message });
    else this.unsaid++;
  }

  add(monitor: ReadMonitor): void {
    if (this.monitors.length < MONITORS_MAX) this.monitors.push(monitor);
    else this.leave(monitor.path, `At most ${MONITORS_MAX} monitors are taken from one file; import the rest from another one.`);
  }

  /** Slugs for what other programs call tags; a tag that has no letter or digit is left out. */
  tagsFor(titles: readonly string[], path: string): readonly string[] {
    const names = titles.flatMap((title) => {
      const name = tagName(title);
      if (name === undefined) this.leave(path, `"${title.slice(0, 60)}" can't be a tag: it holds no Latin letter.`);
      else if (!this.tags.has(name)) this.tags.set(name, { path, name, settings: {}, names: {} });
      return name ?? [];
    });
    return [...new Set(names)].slice(0, 20);
  }

  result(format: MonitorFormat): ImportResult {
    const more = this.unsaid > 0 ? [{ path: '', message: `${this.unsaid} more things are left out and not listed.` }] : [];
    const { monitors, channels, automations } = this;
    return { format, monitors, tags: [...this.tags.values()], channels, automations, leftOut: [...this.notes, ...more] };
  }
}

/** `Nice stuff!` becomes `nice-stuff`; undefined where nothing is left. */
function tagName(title: string): string | undefined {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^[^a-z]+|-+$/g, '');
  return name === '' ? undefined : name.slice(0, 63).replace(/-+$/, '');
}
