// What a check reads out of a page: its selectors and extractors as they are kept, and what comes of them.
import type { ExtractorSpec, ExtractorType, NearMiss, TargetVerdict, FoundVia, TextFilter } from '@weft/contract';
import type { JsonValue } from '../html/loose-json.ts';
import type { DocumentSource } from '../page/document.ts';
import type { TargetBaseline } from './target/baseline.ts';

/** One extractor of a selector; without an id the text of what the selector finds. */
export interface ExtractorPlan {
  readonly id: number | undefined;
  /** What conditions and templates call its value. */
  readonly name: string;
  readonly spec: ExtractorSpec;
}

/** One active selector with its active extractors, at least one. */
export interface TargetPlan {
  readonly id: number;
  /** One expression, or from part to part through frames and shadow roots. */
  readonly selector: string | readonly string[];
  readonly many: boolean;
  readonly baseline: TargetBaseline | undefined;
  /** True while what it found has not changed for some checks: only then its own text says that it is the same. */
  readonly isSteady: boolean;
  readonly extractors: readonly ExtractorPlan[];
}

/** A picture that the page shows, or why it could not be had, in a sentence. */
export interface PictureGiven {
  readonly url: string;
  readonly body?: Uint8Array;
  readonly problem?: string;
}

/** What to read out of which page. */
export interface ReadingPlan {
  readonly source: DocumentSource;
  /** Of the answer; 200 where it is one that the monitor accepts as a page like any other. */
  readonly status: number;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The address that was asked for: a way from it to a login page is a wall. */
  readonly requestedUrl: string;
  /** Whom it was asked for as. */
  readonly personaId?: number;
  /** The text that is read where there are no targets; of `rows` the source is JSON, a list of rows. */
  readonly watch: 'page' | 'main' | 'rows';
  readonly filter: TextFilter;
  readonly targets: readonly TargetPlan[];
  /** Epoch milliseconds of now: baselines are recorded of targets that were found and have none. */
  readonly captureMs: number;
  /** What came of the pictures that an earlier reading wanted; absent where there was none. */
  readonly pictures?: readonly PictureGiven[];
  /** Whether other selectors that find the same are wanted, also where there is a baseline: for people who look at a selector. */
  readonly wantsAlternates?: boolean;
}

/** One value. */
export interface ValueReading {
  readonly selectorId: number | undefined;
  readonly extractorId: number | undefined;
  readonly name: string;
  readonly type: ExtractorType;
  /** Typed as the extractor gives it; undefined where there is none. */
  readonly value: JsonValue | undefined;
  /** As it is shown, in lines. */
  readonly text: string;
  /** As it is compared, in lines: what counts for nothing is taken out. What is longer than is kept ends in a line with the hash of the rest. */
  readonly compared: string;
  /** Equal readings have equal ones: SHA-256 of `compared`, line breaks being blanks like others unless white space counts. '' where there is no value. */
  readonly digest: string;
  /** Why there is no value, in a sentence that says what to do. */
  readonly problem: string | undefined;
}

/** What became of one selector. */
export interface TargetReading {
  readonly id: number;
  readonly verdict: TargetVerdict;
  /** Undefined where it found nothing. */
  readonly via: FoundVia | undefined;
  readonly confidence: number;
  readonly matches: number;
  /** How many there are, and how many there were, where that is why none was taken. */
  readonly others: { readonly now: number; readonly before: number } | undefined;
  /** Whether all of them are read, or the first alone. */
  readonly many: boolean;
  readonly nearMisses: readonly NearMiss[];
  readonly proposal:
    | { readonly selector: string; readonly score: number; readonly gap: number; readonly evidence: readonly string[] }
    | undefined;
  /** Recorded now, where asked for. */
  readonly baseline: TargetBaseline | undefined;
  /** Other selectors that find the same now; empty where they are not wanted, or not found by the selector alone. */
  readonly alternates: readonly string[];
  /** Of the first ten matches, at most 1,000 characters each. */
  readonly texts: readonly string[];
  readonly values: readonly ValueReading[];
  /** Why the selector could not be run, in a sentence. */
  readonly problem: string | undefined;
}

/** What a phrase of `trigger` or `block` came to in the text that is watched; where there are targets, in that of the page. */
export interface PhraseReading {
  readonly phrase: string;
  readonly found: boolean;
}

/** All that was read out of one page. */
export interface PageReading {
  readonly title: string | undefined;
  /** True where there is nothing to look at: no text, and where there are targets no picture either. */
  readonly isEmpty: boolean;
  /** Why this is another page than the one that was meant: a challenge, a login; undefined where it seems right. */
  readonly standsBefore: { readonly code: 'captcha' | 'blocked'; readonly message: string } | undefined;
  /** The text of page, main content or rows; undefined where there are targets. */
  readonly page: ValueReading | undefined;
  readonly targets: readonly TargetReading[];
  readonly triggers: readonly PhraseReading[];
  readonly blocks: readonly PhraseReading[];
  /** How many elements `subtract` took out. */
  readonly subtracted: number;
  /** How many lines or places `ignore` took out. */
  readonly ignored: number;
  /** Addresses of pictures that extractors want to see and nobody has brought yet: the page is to be read again with them. */
  readonly pictures: readonly string[];
}
