// A build in words.
import type { BuildView, BuiltFunction } from '@weft/contract';
import { pairs, table } from '../../table.ts';
import { wordsOfHealth } from './health-words.ts';

const SAMPLE_MAX = 60;

export function wordsOfBuild(build: BuildView): string {
  const { build_id: id, status, rung, url, objective, functions = [], escalations = [], measured, unused = [], evidence, diff } = build;
  const facts: [string, unknown][] = [
    ['build', id],
    ['status', `${status} (${rung})`],
    ['site', url],
  ];
  if (objective !== undefined) facts.push(['objective', objective]);
  if (build.draft_source !== undefined && functions.length > 0) facts.push(['chosen by', CHOSEN[build.draft_source]]);
  const parts = [pairs(facts)];
  if (functions.length > 0) parts.push(table(['FUNCTION', 'STATE', 'LANE', 'INPUTS', 'REASON'], functions.map(rowOf)));
  for (const { rung: replaced, reason } of escalations) parts.push(`The ${replaced} rung handed over: ${reason}.`);
  if (measured !== undefined) parts.push(measured);
  if (evidence) parts.push(wordsOfEvidence(evidence));
  for (const { id: candidate, reason } of unused) parts.push(`${candidate} became no function: ${reason}`);
  if (diff) parts.push(wordsOfDiff(diff));
  if (build.proposal === 'open') parts.push(`Nothing is replaced before you decide: weft api accept ${id}, or weft api decline ${id}`);
  if (build.health && build.health.functions.length > 0) parts.push(wordsOfHealth(build.health));
  const [first] = functions.filter(({ state }) => state === 'proved');
  parts.push(...callsOf(build));
  if (first) parts.push(`Try:   weft api try ${id} ${first.name}${inputsOf(first)}`);
  return parts.join('\n');
}

/** How other programs call what is published; nothing before that. */
export function callsOf({ openapi }: Pick<BuildView, 'openapi'>): string[] {
  const { servers, paths = {} } = (openapi ?? {}) as { readonly servers?: readonly { readonly url: string }[]; readonly paths?: object };
  return (servers ?? []).flatMap(({ url }) => Object.keys(paths).map((path) => `Call:  POST ${url}${path}`));
}

const CHOSEN: Readonly<Record<NonNullable<BuildView['draft_source']>, string>> = {
  mechanical: 'what fits the objective best, without a model',
  model: 'the model, among what was found',
  picked: 'you',
};

function rowOf({ name, state, lane, inputs, reason }: BuiltFunction): string[] {
  return [name, state, lane, Object.keys((inputs?.['properties'] ?? {}) as object).join(', '), reason];
}

function inputsOf({ example = {} }: BuiltFunction): string {
  return Object.entries(example)
    .map(([name, value]) => ` -i ${/\s/.test(String(value)) ? `'${name}=${String(value)}'` : `${name}=${String(value)}`}`)
    .join('');
}

/** What functions can be made of, with the ids that pick takes, and what else was found in numbers. */
export function wordsOfEvidence(evidence: NonNullable<BuildView['evidence']>): string {
  const { candidates, ...found } = evidence;
  const rows = candidates.map((each) => {
    const samples = Array.isArray(each['samples']) ? (each['samples'] as readonly unknown[]).map(String) : [];
    return [String(each['id']), String(each['kind']), String(each['name']), String(each['lane']), (samples[0] ?? '').slice(0, SAMPLE_MAX)];
  });
  const counts = Object.entries(found)
    .filter(([, things]) => things.length > 0)
    .map(([name, things]) => `${things.length} ${name}`);
  return [
    table(['ID', 'KIND', 'NAME', 'LANE', 'FIRST ROW'], rows),
    ...reasonsOf(found.forms),
    counts.length > 0 ? `Found: ${counts.join(', ')}; --json shows each with its page.` : 'Nothing else was found.',
  ].join('\n');
}

/** Why forms are no candidates, each reason once. */
function reasonsOf(forms: NonNullable<BuildView['evidence']>['forms']): readonly string[] {
  const seen = new Map(forms.flatMap((form) => (typeof form['unused'] === 'string' ? [[form['unused'], form] as const] : [])).toReversed());
  return [...seen].toReversed().map(([reason, { id, form }]) => `${String(id)}, a form for ${addressOf(form)}: ${reason}`);
}

function addressOf(form: unknown): string {
  return typeof form === 'object' && form !== null && 'action' in form ? String(form.action) : 'an address that is not known';
}

type NameChanges = NonNullable<NonNullable<BuildView['diff']>['changed'][number]['fields']>;

function nameLines(what: string, names: NameChanges | undefined): string[] {
  if (!names) return [];
  return [
    ...names.added.map((name) => `    ${what} ${name} is new`),
    ...names.gone.map((name) => `    ${what} ${name} is gone`),
    ...names.renamed.map(({ from, to }) => `    ${what} ${from} is ${to} now`),
  ];
}

function wordsOfDiff({ added, removed, changed }: NonNullable<BuildView['diff']>): string {
  const lines = [
    ...added.map((name) => `+ ${name}`),
    ...removed.map((name) => `- ${name}`),
    ...changed.flatMap(({ name, what, fields, inputs, proof }) => [
      `~ ${name}: ${what.join(', ')}`,
      ...nameLines('field', fields),
      ...nameLines('input', inputs),
      ...(proof ? [`    ${proof.before} before, ${proof.after} now: ${proof.reason}`] : []),
    ]),
  ];
  return lines.length === 0 ? 'Its functions are those of the build before.' : `Beside the build before:\n${lines.join('\n')}`;
}
