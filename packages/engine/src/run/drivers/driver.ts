// What steps do with the web in either lane.
import { PageError } from '../../errors.ts';
import { detectObstacle } from '../../html/signs/challenge.ts';
import type { Selectors } from '@weft/contract';
import type { Lane, Page } from '../../ports.ts';
import type { AskBounds } from '../asking.ts';
import type { ReadForm } from '../reading/forms.ts';
import type { BrowserSession, StorageState } from '../session.ts';
import type { SealedText } from '../value.ts';

/** When a page in a browser is ready. */
type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle';

/** How a page is opened. */
export interface OpenOptions {
  readonly waitUntil?: WaitUntil | undefined;
  /** True where a page that asks to log in is what is wanted; else it is refused as what stands in front of one. */
  readonly isLogin?: boolean;
}

/** One lane of one run. */
export interface Driver {
  readonly lane: Lane;
  /** Present in the browser. */
  readonly session: BrowserSession | undefined;
  /** Opens a page. Throws PageError, for a status that no page has as well, and LaneFault. */
  open(url: string, options: OpenOptions, bounds: AskBounds): Promise<void>;
  /** The page that is open. Throws RunFault `input` before the first. */
  page(bounds: AskBounds): Promise<Page>;
  /** The address of the page that is open; undefined before the first. */
  url(): string | undefined;
  /** Sends a form with what was filled in, and opens what it leads to. */
  submit(form: ReadForm, filled: FilledForm, bounds: AskBounds): Promise<void>;
  state(bounds: AskBounds): Promise<StorageState | undefined>;
  close(): Promise<void>;
}

/** Values by the names of their controls; `submit` names the button, in the browser. */
export interface FilledForm {
  readonly values: ReadonlyMap<string, string | SealedText>;
  readonly submit: string | undefined;
  /** Where controls are by the same names, and the button, for a form that does not say so; in the browser. */
  readonly places?: { readonly controls: ReadonlyMap<string, Selectors>; readonly button: Selectors | undefined };
  /** As in OpenOptions. */
  readonly isLogin?: boolean;
}

/** A page asks to log in, and another was wanted. */
export class LoginWall extends PageError {}

/** The refusal of a page, told apart where the page asks to log in. */
export function refusalAt(seen: Parameters<typeof detectObstacle>[0] & { readonly url: string }, refusal: PageError): PageError {
  const { url, status } = seen;
  return detectObstacle(seen)?.kind === 'login_wall' ? new LoginWall(refusal.code, refusal.message, { url, status }) : refusal;
}

/** True where nothing stands in front of a page but a login that is wanted. */
export function isWantedLogin(seen: Parameters<typeof detectObstacle>[0], { isLogin }: OpenOptions): boolean {
  return isLogin === true && detectObstacle(seen)?.kind === 'login_wall';
}
