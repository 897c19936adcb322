// Notes what a recorder sees around a login, as little of it as a fold needs.
import { PERSONA_PASSWORD } from '../exchange/typed-values.ts';
import type { Draft, LoginSeen, SeenPage } from './fold-login.ts';
import type { ToldAct } from './told.ts';

/** Copies of pages are large, and the first page behind a login shows that it worked. */
const PAGES_MAX = 4;
const ASKS_PASSWORD = /<input[^>]*\stype="?password/i;

/** The pages of one recording. */
export class LoginNotes {
  private form: SeenPage | undefined;
  private opener: string | undefined;
  private readonly later: (SeenPage & { readonly place: number })[] = [];

  /** `steps` are those before the act, and `made` the one that it became, if it became one. */
  note({ kind, html, url, frame }: ToldAct, steps: readonly Draft[], made: Draft | undefined): void {
    if (html === undefined || frame.length > 0) return;
    if (made?.type === 'change' && made['value'] === PERSONA_PASSWORD) this.form ??= { url, html };
    else if (this.form) {
      if (!ASKS_PASSWORD.test(html) && this.later.length < PAGES_MAX) this.later.push({ url, html, place: steps.length });
    } else if (kind === 'click') this.opener = made && !ASKS_PASSWORD.test(html) ? made.id : undefined;
  }

  /** Where the recording ended. */
  end(page: SeenPage, place: number): void {
    if (this.form && this.later.length < PAGES_MAX && !ASKS_PASSWORD.test(page.html)) this.later.push({ ...page, place });
  }

  /** Undefined where no password was typed. */
  get seen(): LoginSeen | undefined {
    const { form, opener, later } = this;
    return form && { form, opener, later };
  }
}
