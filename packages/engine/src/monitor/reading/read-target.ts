// Reads one selector: what it finds, and what its extractors make of that.
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { generateAlternates } from '../../html/selectors/alternates.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import type { ExtractorPlan, ReadingPlan, TargetPlan, TargetReading, ValueReading } from '../plan.ts';
import { recordBaseline } from '../target/baseline.ts';
import type { TargetBaseline } from '../target/baseline.ts';
import { locate } from '../target/locate.ts';
import type { Located } from '../target/locate.ts';
import { FoundPart, PARTS_MAX, ReadingTally, valuesAt } from './parts.ts';
import type { PartContext } from './parts.ts';
import type { LineFilter } from './text-filter.ts';
import { valueReading } from './value-reading.ts';
import { extract } from './values/extract.ts';
import { found } from './values/outcome.ts';
import type { Outcome, Reading } from './values/outcome.ts';
import type { WatchedPage } from './watched-page.ts';

/** Texts that are kept of one selector, and characters of each. */
const TEXTS_MAX = 10;
const TEXT_CHARS_MAX = 1_000;

/** What a selector points at. */
type Pointed = Pick<Located, 'verdict' | 'via' | 'count' | 'others' | 'confidence' | 'nearMisses' | 'proposal'> & {
  readonly parts: readonly FoundPart[];
};

/** The reading of one selector, and how much of what it found is ignored. */
export interface ReadTarget {
  readonly reading: TargetReading;
  readonly ignored: number;
}

/** Reads a selector on the page as it counts. What is wrong with it is its `problem`. */
export function readTarget(target: TargetPlan, plan: ReadingPlan, page: WatchedPage, filter: LineFilter): ReadTarget {
  try {
    const context = { page, filter, tally: new ReadingTally() };
    const pointed = pointAt(target, plan, context);
    const { parts } = pointed;
    const values = target.extractors.map((extractor) => readValue(extractor, target, pointed, context));
    const baseline = target.baseline === undefined ? baselineOf(target, pointed, values, plan, page) : undefined;
    return {
      reading: {
        id: target.id,
        verdict: pointed.verdict,
        via: pointed.via ?? undefined,
        confidence: pointed.confidence,
        matches: pointed.count,
        others: pointed.others === undefined || !target.baseline ? undefined : { now: pointed.others, before: target.baseline.count },
        many: target.many,
        nearMisses: pointed.nearMisses,
        proposal: pointed.proposal,
        baseline,
        alternates: baseline?.alternates ?? (plan.wantsAlternates === true ? alternatesOf(pointed, page) : []),
        texts: parts.slice(0, TEXTS_MAX).map(({ text }) => text.slice(0, TEXT_CHARS_MAX).toWellFormed()),
        values,
        problem: pointed.count > 0 ? undefined : unfitProblem(target, page),
      },
      ignored: context.tally.ignored,
    };
  } catch (error) {
    if (!(error instanceof PageError) || error.code !== 'selector') throw error;
    return { reading: failed(target, error.message), ignored: 0 };
  }
}

function pointAt(target: TargetPlan, plan: ReadingPlan, context: PartContext): Pointed {
  const { selector, many, baseline, isSteady } = target;
  const path = jsonPathOf(selector);
  if (path !== undefined) return pointInJson(valuesAt(path, context.page), target, (value) => new FoundPart({ value }, context));
  const { status, headers, requestedUrl } = plan;
  const located = locate(context.page.document, selector, baseline, { many, isSteady, answer: { status, headers, requestedUrl } });
  const parts = located.matches
    .slice(0, PARTS_MAX)
    .map(({ node, value }) => new FoundPart(node && isTag(node) ? { element: node } : { value }, context));
  return { ...located, parts };
}

/** JSON has no likeness to go by: a path finds what it finds. */
function pointInJson<Value>(values: readonly Value[], { many, baseline }: TargetPlan, toPart: (value: Value) => FoundPart): Pointed {
  const count = values.length;
  const isFound = count > 0 && (many || baseline === undefined || count === baseline.count);
  const verdict = isFound ? 'found' : count > 0 ? 'drift' : 'gone';
  const parts = isFound ? values.slice(0, PARTS_MAX).map(toPart) : [];
  const others = verdict === 'drift' ? { others: count } : {};
  return { verdict, via: isFound ? 'selector' : null, ...others, count: parts.length, confidence: isFound ? 1 : 0, nearMisses: [], parts };
}

function jsonPathOf(written: TargetPlan['selector']): string | undefined {
  const parts = typeof written === 'string' ? [written] : written;
  const [only] = parts;
  if (only === undefined || parts.length > 1) return undefined;
  const { kind, expression } = parseSelector(only);
  return kind === 'jsonpath' ? expression : undefined;
}

/** A selector of elements finds none in a document that has none, which is hardly what was meant. */
function unfitProblem({ selector }: TargetPlan, { kind, source, isXml }: WatchedPage): string | undefined {
  if (kind === 'html' || isXml) return undefined;
  const written = typeof selector === 'string' ? selector : selector.join(' ');
  if (kind === 'json') {
    if (jsonPathOf(selector) !== undefined) return undefined;
    return `${source.url} is JSON, in which ${written} finds nothing; point at it with jsonpath/, such as jsonpath/$.price.`;
  }
  return `${source.url} is no HTML (${kind}), and ${written} finds nothing in its text; use regex/ or text/, or watch the whole of it.`;
}

function failed({ id, many, extractors }: TargetPlan, problem: string): TargetReading {
  const values = extractors.map(({ id: extractorId, name, spec }) => ({
    selectorId: id,
    extractorId,
    name,
    type: spec.type,
    value: undefined,
    text: '',
    compared: '',
    digest: '',
    problem,
  }));
  const nothing = {
    via: undefined,
    confidence: 0,
    matches: 0,
    others: undefined,
    nearMisses: [],
    proposal: undefined,
    baseline: undefined,
    alternates: [],
    texts: [],
  };
  return { id, verdict: 'gone', ...nothing, many, values, problem };
}

function readValue(
  { id, name, spec }: ExtractorPlan,
  { id: selectorId, many }: TargetPlan,
  { parts, count, verdict, others }: Pointed,
  context: PartContext,
): ValueReading {
  const shown = parts.filter((part) => !part.isHidden);
  const reading: Reading = {
    spec,
    parts: shown.length > 0 ? shown : parts,
    matches: count,
    unread: count - parts.length,
    many,
    ...context,
  };
  return valueReading({ selectorId, extractorId: id, name, type: spec.type }, outcomeOf(reading, verdict, others), context.filter);
}

function outcomeOf(reading: Reading, verdict: Pointed['verdict'], others: number | undefined): Outcome {
  if (verdict === 'blocked') return { problem: 'Something stands before the page: nothing of it was read.' };
  if (reading.spec.type === 'count') return found(reading.matches);
  if (others !== undefined) return { problem: `The selector finds ${others}, which is another number than before.` };
  if (reading.parts.length === 0) return { problem: 'The selector finds nothing.' };
  try {
    return extract(reading);
  } catch (error) {
    if (error instanceof PageError && error.code === 'selector') return { problem: error.message };
    throw error;
  }
}

/** What was found by the selector itself becomes its baseline. */
function baselineOf(
  { selector }: TargetPlan,
  { via, parts, count }: Pointed,
  values: readonly ValueReading[],
  { captureMs, status }: ReadingPlan,
  page: WatchedPage,
): TargetBaseline | undefined {
  const [first] = parts;
  if (via !== 'selector' || !first) return undefined;
  const normalised = values.find(({ value }) => value !== undefined)?.value;
  return recordBaseline(page.document, {
    selector,
    elements: parts.flatMap(({ element }) => element ?? []),
    count,
    value: { raw: first.text.slice(0, TEXT_CHARS_MAX).toWellFormed(), ...(normalised === undefined ? {} : { normalised }) },
    recordedAt: new Date(captureMs).toISOString(),
    status,
  });
}

function alternatesOf({ parts, count }: Pointed, page: WatchedPage): readonly string[] {
  const element = count === 1 ? parts[0]?.element : undefined;
  return element ? generateAlternates(page.tree, element) : [];
}
