// The same articles in other skins, themes and software: redesigns that other people made, with targets known from what we wrote into them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { SKINNED } from '../../apps/apps.ts';
import { articles } from '../../apps/content.ts';
import type { Article } from '../../apps/content.ts';
import { installApp, startApp, takeHome } from '../../apps/runner.ts';
import { textOf } from '../../../packages/engine/src/html/selectors/text.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { shapeOfValue } from '../../../packages/engine/src/monitor/target/shape.ts';
import type { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import { SETTINGS } from '../../src/settings.ts';
import { changeTexts, documentOf, writePage } from './heal-cases.ts';
import type { Fate, PagePair } from './heal-cases.ts';
import { seeded } from '../boosting.ts';
import { detach } from './mutate.ts';

/** All of them say the same, so that none of them is fitted to while another is measured. */
export const SKIN_SITE = 'garden';
const ARTICLES = 10;
const FATES: readonly Fate[] = ['kept', 'changed', 'removed'];

/** One article as one skin shows it. */
interface SkinPage {
  readonly skin: string;
  readonly software: string;
  readonly article: Article;
  readonly url: string;
  readonly html: string;
}

/** Where each software shows an article, by skin. */
const ADDRESSES: Readonly<Record<string, readonly (readonly [skin: string, path: (article: Article, at: number) => string])[]>> = {
  dokuwiki: [['dokuwiki', ({ slug }, at) => `/doku.php?id=${['vegetables', 'herbs', 'fruit'][at % 3]}:${slug}`]],
  'mediawiki-skins': ['vector', 'vector-2022', 'monobook', 'timeless', 'minerva'].map(
    (skin) => [skin, ({ title }) => `/wiki/${title}?useskin=${skin}`] as const,
  ),
  'wordpress-themes': ['twentytwentyone', 'twentytwentytwo', 'twentytwentythree'].map(
    (theme) => [theme, ({ slug }) => `/?name=${slug}&theme=${theme}`] as const,
  ),
};

const KEPT = 'skin-pages.json';

/** The articles in all skins: installed, started, taken and ended the first time, from then on as they were kept below `home`. */
export async function loadSkinPages(home = SETTINGS.appsFolder): Promise<readonly SkinPage[]> {
  const kept = join(home, KEPT);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as SkinPage[];
  const pages = await takeSkinPages(home);
  writeFileSync(kept, JSON.stringify(pages));
  return pages;
}

async function takeSkinPages(home: string): Promise<readonly SkinPage[]> {
  using _home = takeHome(home);
  const pages: SkinPage[] = [];
  for (const app of SKINNED) {
    await installApp(app, home);
    const running = await startApp(app, home);
    try {
      for (const [at, article] of articles(ARTICLES).entries()) {
        for (const [skin, path] of ADDRESSES[app.name] ?? []) {
          const url = running.origin + path(article, at);
          const answer = await fetch(url);
          if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${app.name} has no such article or skin.`);
          pages.push({ skin, software: app.name, article, url: url.replace(/[?&](?:useskin|theme)=.*/, ''), html: await answer.text() });
        }
      }
    } finally {
      await running.stop();
    }
  }
  return pages;
}

/** Each article from each skin to each other one of the same software, and from one skin of a software to one of another. */
export function* skinPairs(pages: readonly SkinPage[]): Generator<PagePair> {
  for (const from of pages) {
    for (const to of pages) {
      if (from === to || from.article.slug !== to.article.slug || !isPaired(from, to, pages)) continue;
      const change = from.software === to.software ? 'other skin' : 'other software';
      for (const fate of FATES) yield pairOf(from, to, change, fate);
    }
  }
}

/** Of other software the first skin stands for all. */
function isPaired(from: SkinPage, to: SkinPage, pages: readonly SkinPage[]): boolean {
  const isFirst = (page: SkinPage) => pages.find(({ software }) => software === page.software)?.skin === page.skin;
  return from.software === to.software || (isFirst(from) && isFirst(to));
}

function pairOf(from: SkinPage, to: SkinPage, change: string, fate: Fate): PagePair {
  const before = documentOf(from.html, from.url);
  const [olds, news] = [findTargets(before, from.article), findTargets(documentOf(to.html, to.url), to.article)];
  const after = fate === 'kept' ? news.document : changedPage(news, fate, to);
  const twins = fate === 'kept' ? news.elements : fate === 'changed' ? findAgain(after) : [];
  const watched = olds.elements.flatMap((element, at) => {
    const twin = twins[at];
    const isThere = element !== undefined && news.elements[at] !== undefined && (twin !== undefined || fate === 'removed');
    return isThere ? [{ before: element, after: twin, copies: [], shape: shapeOfValue(textOf(element)) }] : [];
  });
  return { site: SKIN_SITE, change, fate, before, after, watched };
}

interface Targets {
  readonly document: PageDocument;
  /** One for each target; undefined where a skin does not show it. */
  readonly elements: readonly (Element | undefined)[];
}

/** What somebody would watch on an article: two cells of its table, a step, a paragraph, a heading. By the words that we wrote, by nothing else. */
function findTargets(document: PageDocument, { tools, steps, paragraphs }: Article): Targets {
  const all = [...elementsBelow(document.tree.body)];
  const tool = tools[1] ?? tools[0];
  const row = all.find((element) => element.name === 'tr' && firstCell(element) === tool?.name);
  const cells = row ? row.children.filter(isTag) : [];
  const named = (names: RegExp, says: (text: string) => boolean) =>
    all.find((element) => names.test(element.name) && says(textOf(element)));
  const elements = [
    cells.at(-1),
    cells[1],
    named(/^li$/, (text) => text === steps[1]),
    named(/^p$/, (text) => text.startsWith(paragraphs[0]?.slice(0, 120) ?? '')),
    named(/^h[2-4]$/, (text) => /^Steps\b/.test(text)),
  ];
  return { document, elements };
}

function firstCell(row: Element): string {
  const cell = row.children.find(isTag);
  return cell ? textOf(cell) : '';
}

const MARK = 'data-heal-mark';

function changedPage({ document, elements }: Targets, fate: Fate, to: SkinPage): PageDocument {
  const random = seeded(to.html.length);
  for (const [at, element] of elements.entries()) {
    if (!element) continue;
    element.attribs[MARK] = String(at);
    const row = element.parent;
    if (fate === 'removed') detach(row && isTag(row) && row.name === 'tr' && row.parent ? row : element);
    else changeTexts(element, OTHER_WORDS, random);
  }
  return documentOf(writePage(document.tree), to.url);
}

const OTHER_WORDS = ['Lift', 'the', 'roots', 'before', 'frost', 'and', 'keep', 'them', 'in', 'sand'];

function findAgain(document: PageDocument): readonly (Element | undefined)[] {
  const found: Element[] = [];
  for (const element of elementsBelow(document.tree.body)) {
    const mark = element.attribs[MARK];
    if (mark === undefined) continue;
    delete element.attribs[MARK];
    found[Number(mark)] = element;
  }
  return found;
}
