// The port of whatever reads pages for a program: in other threads, so that a heavy one never holds it up.
import type { DetailPages, DetailRequest } from '../build/details/read-detail.ts';
import type { EvidenceRequest, PageEvidence } from '../build/evidence/read-evidence.ts';
import type { SightRequest, SightResult } from '../build/ai/sight.ts';
import type { CheckReading, CheckRequest } from '../monitor/check-page.ts';
import type { ExportRequest } from '../monitor/exchange/configuration.ts';
import type { ImportRequest, ImportResult } from '../monitor/exchange/exchange.ts';
import type { DiffRequest, DiffResult } from '../diff/diff.ts';
import type { ReadingRequest, ReadingResult } from '../run/reading/read-page.ts';
import type { ParseRequest, ParseResult } from './parse.ts';
import type { SelectRequest, SelectResult } from './select.ts';
import type { ViewRequest, Views } from './views.ts';

/** What can be read out of a page, by the name of the work: what goes in and what comes out. */
export interface ViewWork {
  readonly views: { readonly request: ViewRequest; readonly result: Views };
  readonly parse: { readonly request: ParseRequest; readonly result: ParseResult };
  readonly reading: { readonly request: ReadingRequest; readonly result: ReadingResult };
  readonly check: { readonly request: CheckRequest; readonly result: CheckReading };
  readonly diff: { readonly request: DiffRequest; readonly result: DiffResult };
  readonly read_monitors: { readonly request: ImportRequest; readonly result: ImportResult };
  readonly write_monitors: { readonly request: ExportRequest; readonly result: { readonly text: string } };
  readonly evidence: { readonly request: EvidenceRequest; readonly result: PageEvidence };
  readonly detail: { readonly request: DetailRequest; readonly result: DetailPages };
  readonly sight: { readonly request: SightRequest; readonly result: SightResult };
  readonly select: { readonly request: SelectRequest; readonly result: SelectResult };
}
export type WorkName = keyof ViewWork;

/** What came out, and what it took. */
export interface Done<Result> {
  readonly result: Result;
  /** CPU milliseconds that the page took. */
  readonly cpuMs: number;
}

/** Reads pages. */
export interface ViewReader {
  /**
   * Throws PageError: `timeout`, `page_too_complex`, `aborted`, what the page itself caused, and `page_too_complex` when its reader died of it.
   * Work of one `caller`, who chooses what it costs, is done one at a time and turns with others; without one it is the program's own.
   */
  run<Name extends WorkName>(
    work: Name,
    request: ViewWork[Name]['request'],
    signal: AbortSignal,
    caller?: string,
  ): Promise<Done<ViewWork[Name]['result']>>;
}
