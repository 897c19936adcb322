// Fits how many texts two pages may differ in and still be one page. Runs alone: node bench/quality/near-pages.ts [folder of a site ...]
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { differingTexts } from '../../packages/engine/src/crawl/judge/likeness.ts';
import { scanLinks } from '../../packages/engine/src/crawl/links/scan-links.ts';
import { findDataset, hostKey } from './dataset.ts';

/** Two pages: distinct ones of one site, or one page twice with a few texts changed. */
interface Pair {
  readonly site: string;
  readonly isOne: boolean;
  readonly differing: number;
  readonly texts: number;
}

interface Rule {
  readonly max: number;
  readonly share: number;
}

const FOLDS = 5;
/** Distinct pages that may be taken for one: each is a page lost. */
const LOST_MAX = 0.001;
const PAGES_OF_SITE_MAX = 60;
/** What applications change on a page without changing it: how many texts come, and how many are others. */
const NOISE: readonly (readonly [added: number, changed: number])[] = [
  [2, 0], // a heading "Reply to ..." and a link "Cancel reply"
  [0, 1], // a clock, a visitor counter, a quotation of the day
  [1, 1],
  [1, 2],
  [3, 0], // a notice with a link
];

/** Named folders are sites of their own; the public lists and pages are read where they are. */
function readSites(folders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sites = new Map<string, string[]>();
  const add = (site: string, file: string) => void sites.set(site, [...(sites.get(site) ?? []), file]);
  for (const folder of folders) for (const file of filesBelow(folder)) add(basename(folder), file);
  const lists = findDataset('lists');
  if (lists) for (const file of filesBelow(lists)) add(file.slice(lists.length).split('/').slice(1, 3).join('/'), file);
  const pages = findDataset('pages');
  if (pages)
    for (const name of readdirSync(join(pages, 'dev', 'ground-truth'))) {
      const { url } = JSON.parse(readFileSync(join(pages, 'dev', 'ground-truth', name), 'utf8')) as { url: string };
      add(hostKey(url), join(pages, 'dev', 'html', name.replace('.json', '.html.gz')));
    }
  return sites;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html?$/i.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .toSorted((a, b) => hashOf(a) - hashOf(b))
    .slice(0, folder.includes('lists') ? undefined : PAGES_OF_SITE_MAX);
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

function pairsOf(site: string, files: readonly string[]): readonly Pair[] {
  const pages = files.flatMap((file) => {
    const html = readHtml(file);
    return html === undefined ? [] : [{ html, ...sketchOf(html) }];
  });
  const pairs: Pair[] = [];
  for (const [i, page] of pages.entries()) {
    for (const other of pages.slice(i + 1, i + 6))
      if (page.hash !== other.hash) pairs.push({ site, isOne: false, ...compare(page.sketch, other.sketch) });
    const [added, changed] = NOISE[i % NOISE.length] ?? [1, 0];
    pairs.push({ site, isOne: true, ...compare(page.sketch, sketchOf(withNoise(page.html, added, changed)).sketch) });
  }
  return pairs;
}

function readHtml(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  } catch {
    return undefined;
  }
}

function sketchOf(html: string): { readonly sketch: string; readonly hash: string } {
  const { sketch, contentHash } = scanLinks(Buffer.from(html, 'latin1'), 'https://site.test/');
  return { sketch, hash: contentHash };
}

function withNoise(html: string, added: number, changed: number): string {
  const middle = html.indexOf('</p>', html.length / 2);
  const at = middle < 0 ? html.lastIndexOf('</body') : middle + 4;
  const lines = Array.from({ length: added }, (_, i) => `<p>A line ${hashOf(html + i)} that was not there</p>`).join('');
  let left = changed;
  const after = html.slice(at).replace(/>([^<>]{4,60})</g, (whole: string) => (left-- > 0 ? `>${hashOf(whole)} visitors<` : whole));
  return html.slice(0, Math.max(0, at)) + lines + after;
}

function compare(left: string, right: string): Pick<Pair, 'differing' | 'texts'> {
  const texts = Math.max(...[left, right].map((sketch) => Number.parseInt(sketch.split('.')[0] ?? '', 16) || 0));
  return { differing: differingTexts(left, right), texts };
}

function isTakenForOne({ differing, texts }: Pair, { max, share }: Rule): boolean {
  return differing <= Math.min(max, texts * share);
}

function rateOf(pairs: readonly Pair[], isOne: boolean, rule: Rule): number {
  const asked = pairs.filter((pair) => pair.isOne === isOne);
  return asked.filter((pair) => isTakenForOne(pair, rule)).length / (asked.length || 1);
}

/** The rule that finds most of the same pages while it loses no more distinct ones than may be. */
function fit(pairs: readonly Pair[]): Rule {
  let best: Rule = { max: 0, share: 0 };
  let found = -1;
  for (let max = 1; max <= 16; max++)
    for (const share of [0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08]) {
      const rule = { max, share };
      const rate = rateOf(pairs, true, rule);
      if (rate > found + 1e-9 && rateOf(pairs, false, rule) <= LOST_MAX) [best, found] = [rule, rate];
    }
  return best;
}

const pairs = [...readSites(process.argv.slice(2))].flatMap(([site, files]) => pairsOf(site, files));
const count = (isOne: boolean) => pairs.filter((pair) => pair.isOne === isOne).length;
process.stdout.write(
  `${count(true)} pages twice, ${count(false)} pairs of distinct pages, ${new Set(pairs.map(({ site }) => site)).size} sites\n`,
);
for (let fold = 0; fold < FOLDS; fold++) {
  const isHeld = ({ site }: Pair) => hashOf(site) % FOLDS === fold;
  const rule = fit(pairs.filter((pair) => !isHeld(pair)));
  const held = pairs.filter(isHeld);
  const [found, lost] = [rateOf(held, true, rule), rateOf(held, false, rule)];
  process.stdout.write(`fold ${fold}: at most ${rule.max} and ${rule.share}: found ${found.toFixed(3)}, lost ${lost.toFixed(4)}\n`);
}
const whole = fit(pairs);
process.stdout.write(
  `all: at most ${whole.max} and ${whole.share}: found ${rateOf(pairs, true, whole).toFixed(3)}, lost ${rateOf(pairs, false, whole).toFixed(4)}\n`,
);
