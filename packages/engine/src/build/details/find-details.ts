// Finds kinds of pages that rows of lists lead to, reads a few of each, and makes candidates of functions that answer one record.
import { PageError } from '../../errors.ts';
import type { DocumentSource } from '../../page/document.ts';
import type { ViewReader } from '../../page/view-work.ts';
import { findAct } from '../../url/acts.ts';
import { unlessUnread } from '../asking/unless-unread.ts';
import { freeName } from '../draft.ts';
import type { Candidate, Parameter, Provenance } from '../evidence/catalogue.ts';
import type { MakingContext } from '../evidence/make-candidates.ts';
import type { FoundList, PageEvidence } from '../evidence/read-evidence.ts';
import { functionName } from '../functions/workflow.ts';
import { findPageTemplates } from './page-templates.ts';
import type { PageTemplate } from './page-templates.ts';
import type { DetailPages } from './read-detail.ts';
import { matchOf, thingFrom } from './thing.ts';

/** What details are looked for with. */
export interface DetailSearch {
  readonly start: string;
  /** Best lists first, as each page has them. */
  readonly pages: readonly PageEvidence[];
  /** Pages that were read already, by their address. */
  readonly sources: ReadonlyMap<string, DocumentSource>;
  /** Brings one more page; throws PageError. */
  readonly bring: (url: string) => Promise<DocumentSource>;
  readonly views: ViewReader;
}

/** A kind of pages, and the fields of each. */
export interface FoundDetail {
  readonly template: PageTemplate;
  /** The addresses that the fields were learnt from. */
  readonly drafted: readonly string[];
  readonly pages: DetailPages;
  /** The page whose list leads there. */
  readonly from: PageEvidence;
}

/** Three pages show what differs; two more prove it. */
const DRAFTED = 3;
const PROVING = 2;
const KINDS_MAX = 2;
const LISTS_A_PAGE = 3;
const EXAMPLES_MAX = 8;
const START_BONUS = 4;

/** Kinds of pages, best first, and their fields. Throws PageError that says `stop`. */
export async function findDetails(search: DetailSearch, signal: AbortSignal): Promise<readonly FoundDetail[]> {
  const found: FoundDetail[] = [];
  for (const { template, from } of templatesOf(search).slice(0, KINDS_MAX)) {
    const sources = await sourcesOf(template, search);
    if (sources.length < DRAFTED) continue;
    const again = await broughtAgain(sources[0]?.url, search);
    const request = { sources: sources.map(({ source }) => source), ...(again ? { again } : {}) };
    const read = await unlessUnread(() => search.views.run('detail', request, signal));
    if (!(read instanceof PageError) && read.result.fields.length > 0)
      found.push({ template, drafted: sources.map(({ url }) => url), pages: read.result, from });
  }
  return found;
}

/** The candidate of a kind of pages. */
export function candidateOfDetail(
  { template, drafted, pages }: FoundDetail,
  way: Candidate['lane'],
  from: readonly string[],
  provenance: Provenance,
  { ids, names, objective }: MakingContext,
): Candidate {
  const parameters = parametersOf(template, drafted, ids);
  const byPlace = new Map(template.places.map(({ place }, at) => [String(place), parameters[at]?.id ?? '']));
  const url = template.template.replaceAll(/\{(\d+)\}/g, (_, place: string) => `{${byPlace.get(place) ?? ''}}`);
  const fields = pages.fields.map(({ name, type, rule, filled, samples }) => ({
    field: { id: ids.next('V'), name, type, many: rule.many === true, filled, samples },
    rule,
  }));
  const name = freeName(functionName(`get ${thingFrom(template.places[0]?.name ?? '', objective)}`), names);
  names.add(name);
  return {
    id: ids.next('C'),
    kind: 'detail',
    name,
    description:
      `One page of ${URL.parse(template.template)?.host ?? 'the site'} by ${parameters.map((each) => each.name).join(' and ')}.`.slice(
        0,
        160,
      ),
    from,
    provenance,
    lane: way,
    way: { kind: 'address', url },
    reading: { from: 'page', fields: Object.fromEntries(fields.map(({ field, rule }) => [field.id, rule])) },
    parameters,
    fields: fields.map(({ field }) => field),
    samples: fields.slice(0, 3).flatMap(({ field }) => field.samples.slice(0, 1)),
    match: matchOf(objective, [template.template, ...template.places.map((each) => each.name), ...pages.words]),
  };
}

/** The templates of addresses that rows lead to, those of the best lists first. */
function templatesOf({ pages, start }: DetailSearch): readonly { readonly template: PageTemplate; readonly from: PageEvidence }[] {
  const seen = new Set<string>();
  const { origin } = new URL(start);
  return pages
    .flatMap((from) =>
      from.lists.slice(0, LISTS_A_PAGE).flatMap((list) => {
        const [best] = addressColumns(list).flatMap((urls) =>
          findPageTemplates(
            urls.filter((url) => isPage(url, origin)),
            DRAFTED + PROVING,
          ),
        );
        // What the page lists that somebody has named is what they mean.
        return best ? [{ template: best, from, score: list.score + (from === pages[0] ? START_BONUS : 0) }] : [];
      }),
    )
    .toSorted((a, b) => b.score - a.score)
    .filter(({ template }) => !seen.has(template.template) && seen.add(template.template));
}

/** The addresses of each field of a list. */
function addressColumns({ fields, rows }: FoundList): readonly (readonly string[])[] {
  return fields
    .filter(({ type }) => type === 'url')
    .map(({ name }) => rows.flatMap((row) => (typeof row[name] === 'string' ? [row[name]] : [])));
}

function isPage(url: string, origin: string): boolean {
  return (
    URL.parse(url)?.origin === origin && findAct(url) === undefined && !/\.(?:png|jpe?g|gif|webp|svg|pdf|zip|tgz|xml|json)$/i.test(url)
  );
}

/** Pages to learn from: those that were read already, then others; what can't be read is left out. */
async function sourcesOf({ urls }: PageTemplate, { sources, bring }: DetailSearch) {
  const known = urls.filter((url) => sources.has(url));
  const others = urls.filter((url) => !sources.has(url));
  const taken: { readonly url: string; readonly source: DocumentSource }[] = [];
  for (const url of [...known, ...others].slice(0, DRAFTED + 1)) {
    if (taken.length >= DRAFTED) break;
    try {
      taken.push({ url, source: sources.get(url) ?? (await bring(url)) });
    } catch (error) {
      if (!(error instanceof PageError) || error.next === 'stop') throw error;
    }
  }
  return taken;
}

async function broughtAgain(url: string | undefined, { bring }: DetailSearch): Promise<DocumentSource | undefined> {
  try {
    return url === undefined ? undefined : await bring(url);
  } catch (error) {
    if (!(error instanceof PageError) || error.next === 'stop') throw error;
    return undefined;
  }
}

/** An input for each place. Values that nothing was learnt from are the first and most others: a proof asks with those. */
export function parametersOf({ places, urls }: PageTemplate, drafted: readonly string[], ids: MakingContext['ids']): readonly Parameter[] {
  const fresh = urls.flatMap((url, at) => (drafted.includes(url) ? [] : [at]));
  const known = urls.flatMap((url, at) => (drafted.includes(url) ? [at] : []));
  const [first, ...others] = fresh;
  const order = [first, known[0], ...others, ...known.slice(1)].filter((at) => at !== undefined).slice(0, EXAMPLES_MAX);
  return places.map(({ name, values }) => ({
    id: ids.next('P'),
    name,
    role: 'input',
    type: 'string',
    required: true,
    examples: order.map((at) => ({ id: ids.next('X'), value: values[at] ?? '', seenIn: 'address' })),
  }));
}
