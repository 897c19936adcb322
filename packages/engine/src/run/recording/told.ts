// What a recorder hears in a page, one act after another, and what it comes to.
import type { NewWorkflow } from '@weft/contract';
import type { LeftOut } from '../exchange/untrusted.ts';
import type { BrowserSession, ElementPrint, SessionOptions } from '../session.ts';

/** Where an act happened. */
export interface ToldPlace {
  /** Places of child frames from the main one down; empty in the main frame. */
  readonly frame: readonly number[];
  /** The page: undefined for the newest, `main`, or the beginning of its address. */
  readonly target: string | undefined;
  readonly url: string;
}

/** An act as the page told it. */
export interface ToldAct extends ToldPlace {
  readonly kind: 'click' | 'doubleClick' | 'change' | 'key' | 'scroll' | 'upload' | 'mark';
  /** The document with the element marked; undefined for a document that is too large, or an act on the page itself. */
  readonly html: string | undefined;
  /** What was typed or chosen; absent for a password. */
  readonly value?: string | undefined;
  readonly isPassword?: boolean | undefined;
  readonly isChoice?: boolean | undefined;
  /** True for an element that may hold a closed shadow root. */
  readonly isHost?: boolean | undefined;
  readonly hints?: readonly string[] | undefined;
  readonly key?: string | undefined;
  /** 0 left, 1 middle, 2 right. */
  readonly button?: number | undefined;
  readonly offset?: { readonly x: number; readonly y: number } | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** What happened around the pages. */
export type ToldEvent =
  | ToldAct
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'download'; readonly name: string }
  | { readonly kind: 'dialog'; readonly message: string; readonly text: string | undefined }
  | { readonly kind: 'unheard'; readonly message: string };

/** What a recording came to. */
export interface Recording {
  /** Undefined where nothing was done. */
  readonly workflow: NewWorkflow | undefined;
  /** What was seen and not recorded, and why. */
  readonly leftOut: readonly LeftOut[];
  /** By the id of its step what an element showed of itself. */
  readonly prints: Readonly<Record<string, ElementPrint>>;
}

/** A step that was recorded, by its id and type. */
export interface RecordedStep {
  readonly id: string;
  readonly type: string;
}

/** A session in which a person acts, and what they do there. */
export interface RecordedSession {
  readonly session: BrowserSession;
  /** What was recorded so far; what is half done is not among it. */
  steps(): readonly RecordedStep[];
  /** What was done until now; asked once. */
  recording(name: string): Promise<Recording>;
}

/** Opens sessions whose acts are recorded. */
export interface BrowserRecordings {
  /** Throws PageError `browser`, and `aborted`. */
  record(options: SessionOptions, signal: AbortSignal): Promise<RecordedSession>;
}
