// All that a run reads out of one page, as plain data that crosses threads.
import type { Fields, PageValue, ReadFrom } from '@weft/contract';
import { PageError } from '../../errors.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import type { DocumentSource } from '../../page/document.ts';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import { valueOf } from '../../html/selectors/resolve.ts';
import { recordBaseline } from '../../monitor/target/baseline.ts';
import type { TargetBaseline, TargetSelector } from '../../monitor/target/baseline.ts';
import { locate } from '../../monitor/target/locate.ts';
import type { RepairProposal } from '../../monitor/target/locate.ts';
import type { PagePrint } from '../../page/page-print.ts';
import { findValues } from './find.ts';
import type { ReadPage } from './find.ts';
import { readForm } from './forms.ts';
import { LastDocument } from './last-document.ts';
import type { FormAsk, ReadForm } from './forms.ts';
import { readLogin } from './login.ts';
import type { LoginAsk, ReadLogin } from './login.ts';
import { pagePrintOf } from '../../page/page-print.ts';
import { readFields, readList } from './rows.ts';
import type { ListAsk, RowsFound } from './rows.ts';
import { typedValue } from './typed.ts';
import { isSignedIn } from './way-out.ts';

/** One page, and one question about it. */
export interface ReadingRequest {
  readonly source: DocumentSource;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly ask: ReadingAsk;
}

/** What is asked of a page. */
export type ReadingAsk =
  | { readonly kind: 'values'; readonly of: PageValue }
  | { readonly kind: 'fields'; readonly from?: ReadFrom | undefined; readonly fields: Fields }
  | ({ readonly kind: 'list' } & ListAsk)
  | ({ readonly kind: 'form' } & FormAsk)
  | ({ readonly kind: 'login' } & LoginAsk)
  | { readonly kind: 'next'; readonly of?: PageValue | undefined }
  | { readonly kind: 'print' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'baseline'; readonly selector: TargetSelector; readonly recordedAt: string }
  | { readonly kind: 'repair'; readonly selector: TargetSelector; readonly baseline: TargetBaseline; readonly isSteady: boolean };

/** What was found; the member that was asked for. */
export interface ReadingResult {
  readonly values?: readonly JsonValue[];
  readonly rows?: RowsFound;
  readonly form?: ReadForm;
  /** Absent where the page shows none. */
  readonly login?: ReadLogin;
  /** Whether the page shows that somebody is. */
  readonly isSignedIn?: boolean;
  /** The address of the next page; absent where the page is the last. */
  readonly next?: string;
  /** Absent where the selector finds no element. */
  readonly baseline?: TargetBaseline;
  /** Absent where nothing passes all gates. */
  readonly repair?: RepairProposal;
  /** Of the page that rows or its print were asked of. */
  readonly page?: PagePrint;
}

/** Answers one question about one page; `last` keeps it for the next question. Throws PageError. */
export async function readPage({ source, status, headers, ask }: ReadingRequest, last = new LastDocument()): Promise<ReadingResult> {
  // What a form sends includes what is hidden, and a selector finds it in either case.
  const page: ReadPage = { document: last.of(source, ask.kind === 'print' ? undefined : ask.kind !== 'list'), headers };
  switch (ask.kind) {
    case 'values':
      return {
        values: findValues(ask.of, page).map((found) => typedValue(found, { attr: ask.of.attr }, page.document.tree.baseUrl) ?? null),
      };
    case 'fields':
      return { rows: readFields(ask.from, ask.fields, page), page: pagePrintOf(page.document, status) };
    case 'list':
      return { rows: readList(ask, page), page: pagePrintOf(page.document, status) };
    case 'form':
      return { form: readForm(ask, page) };
    case 'login':
      return loginOf(ask, page);
    case 'next':
      return nextOf(ask.of, page);
    case 'print':
      return { page: pagePrintOf(page.document, status) };
    case 'signedIn':
      return { isSignedIn: isSignedIn(page.document.tree) };
    case 'baseline':
      return baselineOf(ask, page, status);
    case 'repair':
      return repairOf(ask, page, status);
  }
}

function baselineOf(
  { selector, recordedAt }: Extract<ReadingAsk, { kind: 'baseline' }>,
  { document }: ReadPage,
  status: number,
): ReadingResult {
  const { elements } = findElements(parseElementPath(selector), document.tree);
  const [first] = elements;
  if (!first) return {};
  return {
    baseline: recordBaseline(document, { selector, elements, count: elements.length, value: { raw: valueOf(first) }, recordedAt, status }),
  };
}

function repairOf(ask: Extract<ReadingAsk, { kind: 'repair' }>, { document, headers }: ReadPage, status: number): ReadingResult {
  const { selector, baseline, isSteady } = ask;
  const { proposal } = locate(document, selector, baseline, { isSteady, answer: { status, headers } });
  return proposal ? { repair: proposal } : {};
}

function loginOf(ask: LoginAsk, page: ReadPage): ReadingResult {
  const login = readLogin(ask, page);
  return login ? { login } : {};
}

function nextOf(of: PageValue | undefined, page: ReadPage): ReadingResult {
  const { document } = page;
  const [found] = of === undefined ? [] : findValues(of, page);
  const given = of === undefined ? document.paging.next[0] : found && typedValue(found, { type: 'url' }, document.tree.baseUrl);
  if (given === undefined || given === null || given === '') return {};
  const url = typeof given === 'string' ? URL.parse(given, document.tree.baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PageError('selector', `The way to the next page of ${document.source.url} is no address.`, { url: document.source.url });
  return { next: url.href };
}
