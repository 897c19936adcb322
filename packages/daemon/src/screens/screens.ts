// Pages of browser sessions that a person can act on from another browser, by what they are of.
import type { BrowserSession } from '@weft/engine';

/** What a session is of. */
export type ScreenKind = 'recording' | 'run';

/** What stands beside the picture. */
export interface ScreenState {
  readonly title: string;
  /** What the person is to do. */
  readonly instructions: string;
  /** False while a run acts by itself, and a person only looks. */
  readonly mayAct: boolean;
  /** What was recorded so far. */
  readonly steps: readonly string[];
}

/** A session that is watched. Its methods throw AppError and PageError, whose sentences are shown. */
export interface Screen {
  readonly session: BrowserSession;
  state(): ScreenState;
  /** The person opens another address. */
  open(url: string): Promise<void>;
  /** The person has done what was to be done; `text` is a code or a word. */
  done(text: string): Promise<void>;
  discard(): Promise<void>;
}

/** What can be watched now. */
export interface Screens {
  /** Takes the place of what was held for the same. */
  hold(kind: ScreenKind, id: number, screen: Screen): void;
  drop(kind: ScreenKind, id: number): void;
  find(kind: ScreenKind, id: number): Screen | undefined;
}

export function createScreens(): Screens {
  const held = new Map<string, Screen>();
  return {
    hold: (kind, id, screen) => void held.set(`${kind} ${id}`, screen),
    drop: (kind, id) => void held.delete(`${kind} ${id}`),
    find: (kind, id) => held.get(`${kind} ${id}`),
  };
}
