// Ranks the repeated templates of a page: which one is the list of records a reader came for.
import { isTag } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { type Cluster, findClusters } from './clusters.ts';
import { type Features, featuresOf } from './features.ts';
import { type Span, holdsOneEach, spansOf } from './nesting.ts';
import { scoreOf } from './score.ts';
import { withSections } from './sections.ts';
import { hasColumns } from '../align/tables.ts';
import { Shapes } from '../survey/shape.ts';
import { sum } from './shares.ts';
import { type Survey, surveyPage } from '../survey/survey.ts';
import { withoutWayUp } from './way-up.ts';

/** A cluster with its place in the ranking. */
export interface Candidate {
  readonly cluster: Cluster;
  readonly spans: readonly Span[];
  readonly chars: number;
  readonly features: Features;
  readonly score: number;
}

const CANDIDATES_MAX = 60;
/** More lists than this are not offered. */
export const LISTS_MAX = 10;
/** So many of the best clusters are completed with their sections. */
const JOINED_MAX = 12;
/** How much lower a cluster may score that holds another one whole, and still stand for it. */
const WHOLE_MARGIN = 1;

/** What one look at a page gives. */
export interface Ranking {
  readonly survey: Survey;
  /** Best first, at most LISTS_MAX, each template once. */
  readonly candidates: readonly Candidate[];
}

/** How a cluster is scored; the fitted table, unless a program that fits it says otherwise. */
export type Scoring = (features: Features) => number;

/** What was seen of a page, for as long as its tree is there: many lists of one page are looked for on another. */
const ranked = new WeakMap<PageTree, Ranking>();

/** The repeated templates of the page, the most record-like first. */
export function rankClusters(tree: PageTree, scoring: Scoring = scoreOf): Ranking {
  if (scoring !== scoreOf) return rankBy(tree, scoring);
  const ranking = ranked.get(tree) ?? rankBy(tree, scoring);
  ranked.set(tree, ranking);
  return ranking;
}

function rankBy(tree: PageTree, scoring: Scoring): Ranking {
  const survey = surveyPage(tree);
  const shapes = new Shapes();
  const toCandidate = (cluster: Cluster) => candidateOf(cluster, survey, shapes, scoring);
  const plain = best(preselect(clustersOf(tree, survey, shapes)).map(toCandidate));
  const joined = sectionsOf(plain.slice(0, JOINED_MAX), tree, survey, shapes).map(toCandidate);
  const candidates = best([...plain, ...joined]);
  return { survey, candidates: distinct(candidates.map((candidate) => wholeOf(candidate, candidates))) };
}

/** Every candidate that a ranking of the page can come upon, in no useful order: what a scoring is fitted to. */
export function candidatesOf(tree: PageTree): readonly Candidate[] {
  const survey = surveyPage(tree);
  const shapes = new Shapes();
  const toCandidate = (cluster: Cluster) => candidateOf(cluster, survey, shapes, scoreOf);
  const plain = preselect(clustersOf(tree, survey, shapes)).map(toCandidate);
  return [...plain, ...sectionsOf(plain, tree, survey, shapes).map(toCandidate)];
}

function clustersOf(tree: PageTree, survey: Survey, shapes: Shapes): Cluster[] {
  return findClusters(survey, shapes)
    .filter((cluster) => !isOneRow(cluster))
    .map((cluster) => withoutFolderAbove(cluster, tree));
}

/** The cells of one row below the names of their columns are one record, and those names are none, however alike they look. */
function isOneRow({ items }: Cluster): boolean {
  const row = items[0]?.[0]?.element.parent;
  return !!row && isTag(row) && hasColumns(row) && items.every((blocks) => blocks.every(({ element }) => element.parent === row));
}

function sectionsOf(candidates: readonly Candidate[], tree: PageTree, survey: Survey, shapes: Shapes): Cluster[] {
  const joined = candidates.map(({ cluster }) => withSections(cluster, survey, shapes)).filter((cluster) => cluster !== undefined);
  return joined.map((cluster) => withoutFolderAbove(cluster, tree));
}

function withoutFolderAbove({ kind, items }: Cluster, tree: PageTree): Cluster {
  return { kind, items: withoutWayUp(items, tree.url) };
}

function best(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => b.score - a.score);
}

/** Keeps the clusters with the most text and pictures in the most items; the rest is not worth a closer look. */
function preselect(clusters: readonly Cluster[]): Cluster[] {
  const weighed = clusters.map((cluster) => ({ cluster, weight: weightOf(cluster) }));
  weighed.sort((a, b) => b.weight - a.weight);
  return weighed.slice(0, CANDIDATES_MAX).map(({ cluster }) => cluster);
}

function weightOf(cluster: Cluster): number {
  const n = cluster.items.length;
  const shown = sum(cluster.items, (blocks) => sum(blocks, (block) => block.altChars));
  return Math.log2(1 + n) * Math.sqrt(Math.min((charsOf(cluster) + shown) / n, 600));
}

function charsOf(cluster: Cluster): number {
  return sum(cluster.items, (blocks) => sum(blocks, (block) => block.textChars));
}

function candidateOf(cluster: Cluster, survey: Survey, shapes: Shapes, scoring: Scoring): Candidate {
  const features = featuresOf(cluster, survey, shapes);
  return { cluster, spans: spansOf(cluster), chars: charsOf(cluster), features, score: scoring(features) };
}

/** The best cluster that holds each item of `part` in an item of its own: the whole card, or the list with its outlying section. It takes over the better score. */
function wholeOf(part: Candidate, candidates: readonly Candidate[]): Candidate {
  let whole = part;
  for (const candidate of candidates) {
    if (candidate.score < part.score - WHOLE_MARGIN) break;
    if (isWhole(candidate, whole)) whole = candidate;
  }
  return { ...whole, score: Math.max(whole.score, part.score) };
}

function isWhole(whole: Candidate, part: Candidate): boolean {
  const [n, m] = [part.spans.length, whole.spans.length];
  if (whole.cluster === part.cluster || m > 2 * n + 2 || whole.chars / m > (2.5 * part.chars) / n) return false;
  if (m === n && whole.chars === part.chars && width(whole) <= width(part)) return false;
  return holdsOneEach(whole.spans, part.spans);
}

function width(candidate: Candidate): number {
  return sum(candidate.spans, (span) => span.end - span.start);
}

/** Leaves out a cluster that is a part, item by item, of a better one. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.length >= LISTS_MAX) break;
    if (!kept.some((better) => better.cluster === candidate.cluster || isSame(better, candidate))) kept.push(candidate);
  }
  return kept;
}

function isSame(better: Candidate, candidate: Candidate): boolean {
  return (
    candidate.spans.length >= better.spans.length * 0.8 &&
    candidate.chars >= better.chars * 0.5 &&
    holdsOneEach(better.spans, candidate.spans)
  );
}
