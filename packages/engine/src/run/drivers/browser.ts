// The browser lane of a run: one session, acted on.
import { refusalOf, seenPage } from '../../lane/choose-lane.ts';
import type { CapturedJson, Page } from '../../ports.ts';
import { openText } from '../asking.ts';
import type { AskBounds, AskingState } from '../asking.ts';
import type { ReadForm } from '../reading/forms.ts';
import type { BrowserSession, StorageState } from '../session.ts';
import { FILE_MARK } from '../template/render.ts';
import { isWantedLogin, refusalAt } from './driver.ts';
import type { Driver, FilledForm, OpenOptions } from './driver.ts';

/** More answers of one page are forgotten, the oldest first. */
const ANSWERS_MAX = 50;

/** Pages of one browser session. */
export class BrowserDriver implements Driver {
  readonly lane = 'browser';
  readonly session: BrowserSession;
  private readonly asking: AskingState;
  private isOpen = false;
  /** JSON that pages fetched since one was opened. */
  private readonly answers: CapturedJson[] = [];

  constructor(session: BrowserSession, asking: AskingState) {
    this.session = session;
    this.asking = asking;
  }

  async open(url: string, options: OpenOptions, bounds: AskBounds): Promise<void> {
    this.asking.countPage();
    this.answers.length = 0;
    await this.session.takeJson(bounds);
    await this.session.navigate(url, { waitUntil: options.waitUntil }, bounds);
    this.isOpen = true;
    const page = await this.session.read(bounds);
    const obstacle = refusalOf(page);
    if (obstacle && !isWantedLogin(seenPage(page), options)) throw refusalAt(seenPage(page), obstacle);
  }

  async page(bounds: AskBounds): Promise<Page> {
    const page = await this.session.read(bounds);
    this.answers.push(...(await this.session.takeJson(bounds)));
    this.answers.splice(0, Math.max(0, this.answers.length - ANSWERS_MAX));
    return { ...page, xhr: [...this.answers] };
  }

  url(): string | undefined {
    return this.isOpen ? this.session.url() : undefined;
  }

  async submit(form: ReadForm, { values, submit, places }: FilledForm, bounds: AskBounds): Promise<void> {
    // The page can read what is typed into it, and its form sends it on: a secret must be meant for both.
    const origins = new Set([new URL(this.session.url()).origin, new URL(form.action).origin]);
    const kinds = new Map(form.entries.map(({ name, kind }) => [name, kind]));
    for (const [name, value] of values) {
      const target = { selectors: places?.controls.get(name) ?? [`${form.selector} [name=${JSON.stringify(name)}]`] };
      let text = '';
      for (const origin of origins) text = await openText(value, origin, this.asking, bounds.signal);
      if (kinds.get(name) === 'file' && text.startsWith(FILE_MARK))
        await this.session.upload(target, [await this.asking.ports.readFile(text.slice(FILE_MARK.length))], bounds);
      else await this.session.change(target, text, { isSecret: typeof value !== 'string' }, bounds);
    }
    await this.session.click({ selectors: places?.button ?? buttonSelectors(form, submit) }, {}, bounds);
  }

  async state(bounds: AskBounds): Promise<StorageState> {
    return await this.session.state(bounds);
  }

  async close(): Promise<void> {
    await this.session.close();
  }
}

function buttonSelectors({ selector }: ReadForm, submit: string | undefined): readonly string[] {
  if (submit === undefined)
    return [`${selector} [type=submit]`, `${selector} button:not([type=button]):not([type=reset])`, `${selector} [type=image]`];
  const name = JSON.stringify(submit);
  return [`${selector} [name=${name}]`, `${selector} [value=${name}]`, `text/${submit}`];
}
