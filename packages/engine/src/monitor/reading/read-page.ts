// Reads all that a check wants to know out of one page: one opening, one tree, then every selector and its values.
import { detectObstacle, obstacleError, toldPersona } from '../../html/signs/challenge.ts';
import { isPlainPage } from '../../html/signs/plain-page.ts';
import { elementsBelow } from '../../html/walk.ts';
import type { PageReading, ReadingPlan, ValueReading } from '../plan.ts';
import { readTarget } from './read-target.ts';
import { subtract } from './subtract.ts';
import { valueReading } from './value-reading.ts';
import { findPhrases, LineFilter } from './text-filter.ts';
import { found } from './values/outcome.ts';
import { readList } from './values/list.ts';
import { FoundPart, ReadingTally } from './parts.ts';
import { seePictures } from './pictures.ts';
import { openPage } from './watched-page.ts';
import type { WatchedPage } from './watched-page.ts';

const MEDIA = new Set(['img', 'picture', 'svg', 'canvas', 'video', 'audio', 'iframe', 'object', 'embed']);

/**
 * Reads a page. Throws PageError for one that can't be read at all, and `selector` for a filter that is none; what is wrong with a selector
 * or an extractor is its `problem`.
 */
export async function readPage(plan: ReadingPlan): Promise<PageReading> {
  const filter = new LineFilter(plan.filter);
  const page = await openPage(plan.source, await seePictures(plan.pictures));
  const { title } = page;
  const standsBefore = obstacleOf(plan, page);
  const subtracted = subtract(plan.filter.subtract ?? [], page);
  const targets = plan.targets.map((target) => readTarget(target, plan, page, filter));
  const watched = plan.targets.length > 0 ? undefined : readWatched(plan, page, filter);
  const text = watched?.text ?? page.text('page', filter.form);
  return {
    title,
    isEmpty: isEmpty(page, watched?.text),
    standsBefore,
    page: watched?.value,
    targets: targets.map(({ reading }) => reading),
    triggers: findPhrases(plan.filter.trigger ?? [], text),
    blocks: findPhrases(plan.filter.block ?? [], text),
    subtracted,
    ignored: (watched?.ignored ?? 0) + targets.reduce((sum, { ignored }) => sum + ignored, 0),
    pictures: plan.pictures ? [] : [...page.pictures.wanted],
  };
}

/** What stands before a page of HTML; that there is nothing at all is said elsewhere. */
function obstacleOf({ source, status, headers, requestedUrl, personaId }: ReadingPlan, page: WatchedPage): PageReading['standsBefore'] {
  if (page.kind !== 'html') return undefined;
  if (isPlainPage({ status, headers, body: source.body, contentType: source.contentType })) return undefined;
  const obstacle = detectObstacle({ status, headers, requestedUrl, url: source.url, html: page.document.decoded.html });
  if (!obstacle || obstacle.kind === 'empty') return undefined;
  const { code, message: said } = obstacleError(obstacle, { url: source.url, status });
  const message = personaId === undefined ? said : toldPersona(said, personaId, requestedUrl);
  return { code: code === 'captcha' ? 'captcha' : 'blocked', message };
}

interface Watched {
  readonly value: ValueReading;
  readonly text: string;
  readonly ignored: number;
}

/** The text of page or main content, or the rows. */
function readWatched({ watch }: ReadingPlan, page: WatchedPage, filter: LineFilter): Watched {
  const of = { selectorId: undefined, extractorId: undefined, name: watch };
  if (watch === 'rows' && page.json !== undefined) {
    const context = { page, filter, tally: new ReadingTally() };
    const parts = [new FoundPart({ value: page.json }, context)];
    const list = readList({ spec: { type: 'list' }, parts, matches: 1, unread: 0, many: true, ...context });
    const value = valueReading({ ...of, type: 'list' }, list, filter);
    return { value, text: value.text, ignored: context.tally.ignored };
  }
  const text = page.text(watch === 'main' ? 'main' : 'page', filter.form);
  const stripped = filter.strip(text);
  const made = filter.made(text);
  return {
    value: valueReading({ ...of, type: 'text' }, found(made, made, filter.made(stripped.text)), filter),
    text,
    ignored: stripped.ignored,
  };
}

function isEmpty(page: WatchedPage, watched: string | undefined): boolean {
  if (watched !== undefined) return watched.trim() === '';
  if (page.kind === 'picture' || page.text('page').trim() !== '') return false;
  return ![...elementsBelow(page.tree.root)].some(({ name }) => MEDIA.has(name));
}
