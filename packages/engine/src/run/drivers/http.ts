// The HTTP lane of a run: pages by plain requests, forms sent as a browser would send them, one jar of cookies.
import { PageError } from '../../errors.ts';
import type { Page } from '../../ports.ts';
import { decideLane, seenPage } from '../../lane/choose-lane.ts';
import { refuseStatus } from '../../lane/page-status.ts';
import { ask } from '../asking.ts';
import type { AskBounds, Asked, AskingState } from '../asking.ts';
import { LaneFault, RunFault } from '../fault.ts';
import type { FormEntry, ReadForm } from '../reading/forms.ts';
import type { StorageState } from '../session.ts';
import { FILE_MARK } from '../template/render.ts';
import type { SealedText } from '../value.ts';
import { isWantedLogin, refusalAt } from './driver.ts';
import type { Driver, FilledForm, OpenOptions } from './driver.ts';

/** Pages by plain requests. */
export class HttpDriver implements Driver {
  readonly lane = 'http';
  readonly session = undefined;
  private readonly asking: AskingState;
  /** Storage of the session that it began with: no script runs here that could change it. */
  private readonly origins: StorageState['origins'];
  private current: Page | undefined;

  private readonly takesShells: boolean;

  constructor(state: AskingState, origins: StorageState['origins'], takesShells: boolean) {
    this.asking = state;
    this.origins = origins;
    this.takesShells = takesShells;
  }

  async open(url: string, options: OpenOptions, bounds: AskBounds): Promise<void> {
    await this.go({ url }, options, bounds);
  }

  async page(): Promise<Page> {
    if (!this.current) throw new RunFault('input', 'No page is open yet: a step before this one must open one.');
    return this.current;
  }

  url(): string | undefined {
    return this.current?.url;
  }

  async submit(form: ReadForm, filled: FilledForm, bounds: AskBounds): Promise<void> {
    const entries = [...form.entries.flatMap((entry) => filledEntries(entry, filled.values, form)), ...buttonEntries(form)];
    const from = this.current?.url;
    const headers = from === undefined ? {} : { referer: from, ...(form.method === 'post' ? { origin: new URL(from).origin } : {}) };
    if (form.method === 'get') await this.go({ url: queryOf(form.action, entries), headers }, filled, bounds);
    else {
      const kind = form.encoding === 'multipart/form-data' ? 'multipart' : 'form';
      await this.go({ url: form.action, method: 'POST', headers, body: { kind, entries } }, filled, bounds);
    }
  }

  /** What a `request` step was answered with is no page that is open; its cookies are the run's. */
  async state(): Promise<StorageState> {
    return { cookies: this.asking.cookies.records(), origins: this.origins };
  }

  async close(): Promise<void> {
    this.current = undefined;
  }

  private async go(asked: Asked, options: OpenOptions, bounds: AskBounds): Promise<void> {
    const page = await ask(asked, this.asking, bounds);
    requirePage(page, { ...options, takesShells: this.takesShells }, this.asking.ports.clock.now());
    this.current = page;
  }
}

/** Throws PageError for what is no page, LaneFault for what only a browser makes one of. */
function requirePage(page: Page, options: OpenOptions & { readonly takesShells: boolean }, nowMs: number): void {
  const seen = seenPage(page);
  if (isWantedLogin(seen, options)) return;
  const decision = decideLane(seen);
  if (decision.kind === 'refuse' && decision.error.code === 'captcha') throw new LaneFault('challenge', decision.error.message);
  if (decision.kind === 'refuse') throw refusalAt(seen, decision.error);
  const refusal = refuseStatus(page, nowMs);
  if (refusal) throw refusal;
  if (decision.kind !== 'render' || options.takesShells) return;
  const why = decision.evidence.join(', ');
  throw new LaneFault('js_shell', `${page.url} is filled by scripts (${why}), and the HTTP lane runs none; set "lane": "browser".`);
}

type Entries = readonly (readonly [string, string | SealedText])[];

function filledEntries(entry: FormEntry, values: FilledForm['values'], form: ReadForm): Entries {
  const given = values.get(entry.name);
  if (given === undefined) return entry.values.map((value) => [entry.name, value] as const);
  if (entry.kind === 'file' && form.encoding === 'multipart/form-data') return [[entry.name, given]];
  if (entry.kind === 'text' || entry.kind === 'file')
    return [[entry.name, typeof given === 'string' && given.startsWith(FILE_MARK) ? given.slice(FILE_MARK.length) : given]];
  if (typeof given !== 'string') return [[entry.name, given]];
  if (entry.kind === 'tick' && given === 'false') return [];
  const choices = entry.choices ?? [];
  const chosen = choices.find(({ value }) => value === given) ?? choices.find(({ label }) => label === given);
  if (chosen) return [[entry.name, chosen.value]];
  if (entry.kind === 'tick' && given === 'true' && choices[0]) return [[entry.name, choices[0].value]];
  throw new PageError('selector', `The form at ${form.action} has no choice "${given.slice(0, 100)}" for ${entry.name}.`, {
    url: form.action,
  });
}

function buttonEntries({ button }: ReadForm): Entries {
  return button ? [[button.name, button.value]] : [];
}

/** A GET form replaces the query of its address (HTML, 4.10.22.3). Throws RunFault for a secret in it. */
function queryOf(action: string, entries: Entries): string {
  const url = new URL(action);
  const pairs = entries.map(([name, value]): [string, string] => {
    if (typeof value !== 'string')
      throw new RunFault(
        'input',
        `The form at ${action} sends its fields in the address, which is stored and shown; a secret can't go there.`,
      );
    return [name, value];
  });
  url.search = new URLSearchParams(pairs).toString();
  return url.href;
}
