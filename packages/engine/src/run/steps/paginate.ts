// Goes from page to page and executes its body on each.
import type { StepOf } from '@weft/contract';
import { fingerprint } from '../../crawl/judge/fingerprint.ts';
import { RunFault } from '../fault.ts';
import { PageRows } from '../page-rows.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { bodiesOf, allSteps } from '../state.ts';
import { textOf } from '../value.ts';

type Paginate = StepOf<'paginate'>;

const PAGES_MAX = 100;
/** How long a page may take to load more: what Crawlee's `infiniteScroll` waits for. */
const GROWS_MS = 4_000;
/** Ends with the next element that the page adds or takes away, or after so many milliseconds. */
const GROWTH = `(ms) => new Promise((done) => {
  const watch = new MutationObserver(end);
  watch.observe(document, { subtree: true, childList: true });
  const timer = setTimeout(end, ms);
  function end() { watch.disconnect(); clearTimeout(timer); done() }
})`;
const IN_BROWSER = new Set(['load_more', 'scroll']);
const STARTS: Readonly<Partial<Record<Paginate['mode'], number>>> = { page_param: 1, offset: 0 };

/** From page to page. */
export const PAGING = {
  paginate: { lanes: (step) => (IN_BROWSER.has(step.mode) ? BROWSER : BOTH), run: paginate } satisfies StepKind<Paginate>,
} as const;

/** Why it ended, and after how many pages. */
interface Paged {
  readonly pages: number;
  readonly ended: 'last_page' | 'max_pages' | 'empty' | 'no_new_rows' | 'same_page';
}

async function paginate(step: Paginate, work: StepWork): Promise<Paged> {
  const { max_pages: pagesMax = PAGES_MAX, empty = true, no_new_rows: noNewRows = true, same_page_hash: samePage = true } = step.stop ?? {};
  const pages = new PageRows();
  const seen = new Set<number>();
  const source = allSteps(bodiesOf(step).flat()).findLast(({ type }) => type === 'extractList' || type === 'extract')?.id;
  let lastPage = 0;
  for (let page = 0; ; page++) {
    if (page === 0 && STARTS[step.mode] !== undefined && step.start !== undefined) await go(await numbered(step, 0, work), work);
    const print = samePage ? await pagePrint(work) : 0;
    if (samePage && page > 0 && print === lastPage) return { pages: page, ended: 'same_page' };
    lastPage = print;
    await work.state.onPage(pages, () => work.room.body(step.body, `page:${page}`, {}, true));
    const rows = source === undefined ? undefined : rowsOf(work, source);
    const found = rows?.length ?? pages.count;
    if (empty && found === 0) return requireRows(page, step, work, { pages: page + 1, ended: 'empty' });
    // Rows that this step keeps may have a key, by which they are new or not, whatever else of them changes.
    const judged = source === work.state.rowSource ? undefined : rows;
    const isOther = judged === undefined ? pages.count === undefined : addNew(judged, seen);
    const isNew = pages.isNew || isOther;
    if (noNewRows && page > 0 && !isNew) return { pages: page + 1, ended: 'no_new_rows' };
    await work.state.keepHeld(pages);
    if (page + 1 >= pagesMax) {
      work.state.warn(`${step.id} ended after ${pagesMax} pages, by its "max_pages"; there may be more.`);
      return { pages: page + 1, ended: 'max_pages' };
    }
    if (!(await next(step, page + 1, work))) return { pages: page + 1, ended: 'last_page' };
  }
}

/** A first page without rows is no end but a fault. */
function requireRows(page: number, step: Paginate, work: StepWork, paged: Paged): Paged {
  if (page === 0) throw new RunFault('no_rows', `${step.id} finds no row on its first page, ${work.url ?? ''}.`);
  return paged;
}

/** What the body's own list gave on this page. */
function rowsOf({ state }: StepWork, id: string): readonly unknown[] | undefined {
  const given = Object.hasOwn(state.outs, id) ? (state.outs[id] as { readonly out: unknown }).out : undefined;
  if (Array.isArray(given)) return given;
  return given === undefined ? undefined : [given];
}

function addNew(rows: readonly unknown[], seen: Set<number>): boolean {
  let isNew = false;
  for (const row of rows) {
    const text = fingerprint(JSON.stringify(row));
    if (seen.has(text)) continue;
    isNew = true;
    seen.add(text);
  }
  return isNew;
}

/** Opens the next page; false where there is none. */
async function next(step: Paginate, page: number, work: StepWork): Promise<boolean> {
  switch (step.mode) {
    case 'next_link':
      return await goTo((await work.read({ kind: 'next', of: step.selectors ? { selectors: step.selectors } : undefined })).next, work);
    case 'next_url':
      return await goTo((await work.read({ kind: 'next', of: { from: 'json', path: requirePart(step, 'path') } })).next, work);
    case 'cursor': {
      const { values = [] } = await work.read({ kind: 'values', of: { from: 'json', path: requirePart(step, 'path') } });
      const cursor = textOf(values[0]);
      return cursor === '' ? false : await go(await withParameter(requirePart(step, 'param'), cursor, work), work);
    }
    case 'page_param':
    case 'offset':
      return await go(await numbered(step, page, work), work);
    case 'load_more':
      return await loadMore(step, work);
    case 'scroll':
      await growing(work, async () => await (await work.session()).scroll(undefined, {}, work.bounds));
      return true;
  }
}

async function numbered(step: Paginate, page: number, work: StepWork): Promise<string> {
  const { start = STARTS[step.mode] ?? 0, step: add = 1 } = step;
  return await withParameter(requirePart(step, 'param'), String(start + page * add), work);
}

async function withParameter(name: string, value: string, work: StepWork): Promise<string> {
  const url = new URL((await work.page()).url);
  url.searchParams.set(name, value);
  return url.href;
}

async function loadMore(step: Paginate, work: StepWork): Promise<boolean> {
  if (!step.selectors) throw new RunFault('input', `${step.id} loads more by a button, and has no "selectors" for it.`);
  const { values = [] } = await work.read({ kind: 'values', of: { selectors: step.selectors } });
  if (values.length === 0) return false;
  const { selectors } = step;
  await growing(work, async () => void (await (await work.session()).click({ selectors }, {}, work.bounds)));
  return true;
}

/** Does what makes a page load more, and waits until it is another than before, or has had its time. */
async function growing(work: StepWork, act: () => Promise<void>): Promise<void> {
  const before = await pagePrint(work);
  await act();
  if ((await pagePrint(work)) === before) await (await work.session()).evaluate(GROWTH, [GROWS_MS], work.bounds);
}

async function goTo(url: string | undefined, work: StepWork): Promise<boolean> {
  return url === undefined ? false : await go(url, work);
}

async function go(url: string, work: StepWork): Promise<boolean> {
  await work.open(url);
  return true;
}

function requirePart(step: Paginate, name: 'path' | 'param'): string {
  const part = step[name];
  if (part === undefined) throw new RunFault('input', `${step.id} goes by ${step.mode}, and has no "${name}".`);
  return part;
}

/** What tells one page from the next: what it holds, wherever it was. */
async function pagePrint(work: StepWork): Promise<number> {
  const { body } = await work.page();
  return fingerprint(new TextDecoder('latin1').decode(body));
}
