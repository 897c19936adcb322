// Jobs of urlwatch and of webchanges: documents of YAML, each a page with its chain of filters.
import { ExchangeError, textIn } from '../../../run/exchange/untrusted.ts';
import { isMembers } from '../../../run/value.ts';
import { Draft } from '../draft.ts';
import type { Collector } from '../exchange.ts';
import { parseYaml } from '../yaml.ts';
import { readChain } from './chain.ts';
import { filtersOf } from './filter-list.ts';
import { OPTIONS, readOption } from './options.ts';

type Members = Readonly<Record<string, unknown>>;

/** Throws ExchangeError for a text that is no YAML. */
export async function readJobs(text: string, program: 'urlwatch' | 'webchanges', into: Collector): Promise<void> {
  const documents = await parseYaml(text, '1.1');
  // A list of jobs in one document is read as its jobs.
  const jobs = documents.flatMap((document, place) =>
    Array.isArray(document)
      ? document.map((job: unknown, inner) => ({ path: `[${place}][${inner}]`, job }))
      : [{ path: `[${place}]`, job: document }],
  );
  if (!jobs.some(({ job }) => isMembers(job)))
    throw new ExchangeError(`The file holds no jobs of ${program}: none of its documents is an object.`);
  for (const { path, job } of jobs) {
    if (isMembers(job)) readJob(job, path, into);
    else into.leave(path, 'It is no job.');
  }
}

function readJob(job: Members, path: string, into: Collector): void {
  const draft = new Draft(path, into);
  const isShell = job['command'] !== undefined || job['kind'] === 'shell';
  if (isShell) return draft.lose('command', 'It watches what a command prints, and commands are not run.');
  const url = textIn(job, 'url') ?? textIn(job, 'navigate');
  if (url === undefined) return draft.lose('', 'It has neither "url" nor "navigate".');
  draft.setUrl(url, 'url');
  draft.setName(textIn(job, 'name'));
  if (job['navigate'] !== undefined || job['use_browser'] === true || job['kind'] === 'browser') draft.set('lane', 'browser');
  const tags = into.tagsFor(listOf(job['tags']), `${path}.tags`);
  if (tags.length > 0) draft.set('tags', [...tags]);
  for (const [name, value] of Object.entries(job)) readOption(name, value, job, draft);
  const member = job['filters'] === undefined ? 'filter' : 'filters';
  readChain(filtersOf(job[member]), member, draft);
  if (draft.spec.method !== undefined && draft.spec.lane === 'browser') {
    delete draft.spec.lane;
    draft.pause('method', `A ${draft.spec.method} goes over HTTP, and not through a browser.`);
  }
  for (const name of Object.keys(job)) if (!OPTIONS.has(name)) draft.leave(name, 'This option is not known here.');
  draft.finish();
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}
