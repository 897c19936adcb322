// Makes of a browser run whose rows its scripts fetched the same workflow by HTTP: the request for them, and what it needs from before.
import type { Step } from '@weft/contract';
import { HarWriter } from '../exchange/har-writer.ts';
import type { HarEntry } from '../exchange/har-entries.ts';
import type { RunPlan } from '../plan.ts';
import type { CapturedRequest } from '../session.ts';
import { isMembers } from '../value.ts';
import { PERSONA_CODE, PERSONA_PASSWORD } from '../exchange/typed-values.ts';
import type { AskedByScripts } from './asked-by-scripts.ts';
import { isLeading, typedInputs } from './derive.ts';
import type { Derived } from './derive.ts';
import { doubtOf, isSafeMethod } from './only-asks.ts';
import { findRows } from './row-members.ts';
import type { RowMembers } from './row-members.ts';

type ListStep = Extract<Step, { readonly type: 'extractList' }>;
type Draft = Readonly<Record<string, unknown>> & { readonly id: string };

/** `rows` are those that the list of the run gave. Nothing of the run may have changed anything at the far end. */
export function deriveFromRequests(plan: RunPlan, rows: unknown, { requests: all, page }: AskedByScripts): Derived {
  const list = plan.steps.at(-1);
  if (list?.type !== 'extractList') return { reason: 'its last step reads no list' };
  const refused = refusalOf(plan, plan.steps.slice(0, -1));
  if (refused !== undefined) return { reason: refused };
  const shown = Array.isArray(rows) ? rows.filter(isMembers) : [];
  // Only what asked is ever sent again, whatever the rows or a value of theirs came from.
  const requests = all.filter((request) => doubtOf(request) === undefined);
  const place = requests.findLastIndex(
    ({ method, status, json }) => /^(?:GET|POST)$/.test(method) && status === 200 && findRows(json, shown),
  );
  const found = findRows(requests[place]?.json, shown);
  if (!found) return { reason: 'no answer to its scripts holds the rows as the page shows them' };
  const prefix = freePrefix(plan.steps);
  const typed = typedInputs(plan, JSON.stringify(plan.steps.filter(isLeading)));
  const writer = new HarWriter({
    prefix,
    // Two inputs of one value can't be told apart.
    known: (value) => {
      const names = typed.filter(([, given]) => String(given) === value).map(([name]) => name);
      return names.length === 1 ? `{{inputs.${names[0]}}}` : undefined;
    },
  });
  const entries = [pageEntry(page), ...requests.slice(0, place + 1).map(entryOf)];
  for (const entry of entries) writer.add(entry);
  const [unsaid] = writer.leftOut.filter(({ path }) => path === entries.at(-1)?.path);
  if (unsaid) return { reason: unsaid.message };
  const asking = needed(writer.steps, `${prefix}${entries.length}`).map((step) => withOrigin(step, page.url));
  const text = JSON.stringify(asking);
  if (text.includes(PERSONA_PASSWORD) || text.includes(PERSONA_CODE))
    return { reason: 'what its scripts asked for holds what looks like a secret' };
  const missing = typed.find(([name]) => !text.includes(`{{inputs.${name}}}`));
  if (missing) return { reason: `the input ${missing[0]} is typed, and does not stand by itself in what its scripts asked for` };
  const logins = plan.steps.filter(({ type }) => type === 'login');
  // Every draft has the members of its type.
  return { steps: [...logins, ...(asking as unknown as readonly Step[]), ...rowSteps(list, found, `${prefix}${entries.length}`, prefix)] };
}

function refusalOf({ output }: RunPlan, steps: readonly Step[]): string | undefined {
  if (JSON.stringify(output ?? null).includes('{{steps.')) return 'its output is made of what its steps gave';
  for (const step of steps) {
    if (step.type === 'navigate' || step.type === 'login') continue;
    if (!isLeading(step)) return `step ${step.id} (${step.type}) reads the page, or does what only a browser can`;
    if (/\{\{\s*(?:secret:|persona\.)/.test(JSON.stringify(step))) return `step ${step.id} types what is secret`;
    if (step.when !== undefined || step.on_error !== undefined || step.save_as !== undefined)
      return `step ${step.id} is an act that depends on something`;
  }
  return undefined;
}

/** Browsers say with each POST which origin sends it (Fetch, "append a request Origin header"), and sites look at it. */
function withOrigin(step: Draft, pageUrl: string): Draft {
  if (isSafeMethod(String(step['method'] ?? 'GET'))) return step;
  const headers = step['headers'] as Readonly<Record<string, string>> | undefined;
  return { ...step, headers: { ...headers, origin: new URL(pageUrl).origin } };
}

/** Of `steps` the one called `id` and those that it takes values from; what reads a page stands behind what opens it. */
function needed(steps: readonly Draft[], id: string): readonly Draft[] {
  const wanted = new Set([id]);
  for (const step of steps.toReversed()) {
    if (!wanted.has(step.id)) continue;
    for (const { id: other } of steps)
      if (JSON.stringify(step).includes(`{{steps.${other}.out`) || step.id.startsWith(`${other}_`)) wanted.add(other);
  }
  return steps.filter((step) => wanted.has(step.id));
}

function rowSteps(list: ListStep, { path, fields }: RowMembers, id: string, prefix: string): readonly Step[] {
  const cut = list.limit === undefined ? '' : ` | slice: 0, ${list.limit}`;
  const items = `steps.${id}.out.${path}${cut}`;
  const min = list.min ?? 1;
  return [
    {
      id: `${prefix}_enough`,
      type: 'assert',
      that: { value: `{{${items} | size}}`, op: 'ge', with: min },
      message: `The answer lists fewer rows than ${min}, the fewest of ${list.id}.`,
    },
    {
      id: `${prefix}_items`,
      type: 'forEach',
      items: `{{${items}}}`,
      as: 'item',
      body: [
        { id: `${prefix}_row`, type: 'emit', rows: fields, ...(list.dedupe_key === undefined ? {} : { dedupe_key: list.dedupe_key }) },
      ],
    },
  ];
}

/** Ids of its own: what guards know of a step is not held against another one. */
function freePrefix(steps: readonly Step[]): string {
  let prefix = 'xhr';
  while (steps.some(({ id }) => id.startsWith(prefix))) prefix += '_x';
  return prefix;
}

function pageEntry({ url, html }: AskedByScripts['page']): HarEntry {
  return {
    path: 'page',
    method: 'GET',
    url: new URL(url),
    headers: new Map(),
    body: undefined,
    status: 200,
    answer: { contentType: 'text/html', text: html, headers: new Map() },
  };
}

function entryOf({ method, url, status, headers, body, json }: CapturedRequest, place: number): HarEntry {
  return {
    path: `requests.${place}`,
    method,
    url: new URL(url),
    headers: new Map(Object.entries(headers)),
    body: body === undefined ? undefined : { contentType: headers['content-type'] ?? '', text: body, fields: [] },
    status,
    answer: { contentType: 'application/json', text: JSON.stringify(json), headers: new Map() },
  };
}
