// The cases of filters that the source package of urlwatch carries: each is imported and read, and gives the same, or is named here with its reason.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { NewMonitor } from '@weft/contract';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { readMonitors } from '../../packages/engine/src/monitor/exchange/read-monitors.ts';
import { readPage } from '../../packages/engine/src/monitor/reading/read-page.ts';

/** Why the tests leave it out. */
export const needs = 'the source of urlwatch 2.29: pip download --no-deps --no-binary :all: urlwatch==2.29, unpacked, as --folder';

/** What gives something else here, and why. All but the last three say so as they are imported. */
const DIFFERENT: Readonly<Record<string, string>> = {
  hexdump: 'bytes are not written in another way',
  xpath_exclude: 'attributes can not be taken out of a page',
  'https://example.net/css-skip-maxitems.html': 'matches of CSS have no numbers',
  'https://example.net/ocr-test.png': 'texts in pictures are not read',
  'https://example.net/pdf-test-password.pdf': 'documents with a password are not opened',
  'https://example.net/shellpipe-awk-oneliner.txt': 'commands are not run',
  'https://example.net/shellpipe-grep.txt': 'commands are not run',
  'https://example.org/shellpipe-multiline.txt': 'commands are not run',
  'https://example.com/regex-substitute.html': 'the text is worked on, and not the source',
  'https://example.org/items-random-order.html': 'the texts are sorted, and not the source',
  sha1: 'the hash is SHA-256',
  'https://example.net/jobs.json': 'texts of JSON stand without quotes',
  'https://api.github.com/repos/voxpupuli/puppet-rundeck/tags': 'texts of JSON stand without quotes',
};
const UNTOLD = ['sha1', 'https://example.net/jobs.json', 'https://api.github.com/repos/voxpupuli/puppet-rundeck/tags'];

interface Case {
  readonly name: string;
  readonly filter: unknown;
  readonly body: Uint8Array;
  readonly type: string;
  readonly output: string;
}

export async function campaign({ folder = '', log }: CampaignOptions): Promise<void> {
  const data = join(folder, 'lib/urlwatch/tests/data');
  assert.ok(existsSync(data), `this campaign needs ${needs}`);
  const cases = [...casesOfTests(data), ...casesOfDocument(data, readFileSync(join(folder, 'docs/source/filters.rst'), 'utf8'))];
  const different: string[] = [];
  for (const one of cases) {
    const { made, told } = await outcomeOf(one);
    if (folded(made) === folded(one.output)) continue;
    assert.ok(one.name in DIFFERENT, `${one.name} gives ${JSON.stringify(made)} and not ${JSON.stringify(one.output)}`);
    assert.ok(told > 0 || UNTOLD.includes(one.name), `${one.name} gives something else without a word`);
    different.push(one.name);
  }
  assert.deepEqual(different.toSorted(), Object.keys(DIFFERENT).toSorted());
  log(
    `${cases.length} cases: ${cases.length - different.length} give the same, ${different.length} do not, ${different.length - UNTOLD.length} of them told`,
  );
}

interface TestData {
  readonly filter: unknown;
  readonly data: unknown;
  readonly expected_result: unknown;
}

function casesOfTests(data: string): readonly Case[] {
  const all = parse(readFileSync(join(data, 'filter_tests.yaml'), 'utf8'), { version: '1.1' }) as Readonly<Record<string, TestData>>;
  return Object.entries(all).map(([name, { filter, data: input, expected_result: output }]) => {
    const text = String(input);
    return { name, filter, body: new TextEncoder().encode(text), type: typeOf(text), output: String(output) };
  });
}

interface DocumentData {
  readonly input?: unknown;
  readonly filename?: string;
  readonly output: unknown;
}

/** The examples of the page on filters, with what they are tried on. */
function casesOfDocument(data: string, document: string): readonly Case[] {
  const blocks = [...document.matchAll(/\.\. code(?:-block)?:: yaml\n\n((?:(?: {3}.*)?\n)+)/g)].map(([, block = '']) => block);
  const jobs = blocks.map(
    (block) => parse(block.replaceAll(/^ {3}/gm, ''), { version: '1.1' }) as { url?: string; filter?: unknown } | null,
  );
  const file = join(data, 'filter_documentation_testdata.yaml');
  const all = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, DocumentData>>;
  return Object.entries(all).map(([name, { input, filename, output }]) => {
    const filter = jobs.find((job) => job?.url === name)?.filter;
    assert.ok(filter !== undefined, `${name} is not in the document`);
    if (filename === undefined) {
      const text = String(input);
      return { name, filter, body: new TextEncoder().encode(text), type: typeOf(text), output: String(output) };
    }
    const type = filename.endsWith('.pdf') ? 'application/pdf' : 'image/png';
    return { name, filter, body: new Uint8Array(readFileSync(join(data, filename))), type, output: String(output) };
  });
}

/** As a server would say. */
function typeOf(text: string): string {
  if (/^\s*[[{]/.test(text)) return 'application/json';
  if (/<rss|<feed/.test(text)) return 'application/xml';
  return /<(?:html|body|div|a|h1)\b/.test(text) ? 'text/html' : 'text/plain';
}

async function outcomeOf({ name, filter, body, type }: Case): Promise<{ readonly made: string; readonly told: number }> {
  const url = name.startsWith('http') ? name : `https://example.com/${name}`;
  const content = new TextEncoder().encode(stringify({ url, filter }));
  const { monitors, leftOut } = await readMonitors({ format: 'urlwatch', content });
  const [read] = monitors;
  assert.ok(read, name);
  const made = await readAs(read.monitor, { url, body, contentType: type }).catch((error: Error) => error.message);
  return { made, told: leftOut.length };
}

async function readAs(
  { selectors = [], filter = {} }: NewMonitor,
  source: { readonly url: string; readonly body: Uint8Array; readonly contentType: string },
): Promise<string> {
  const targets = selectors.map(({ selector, many = false, extractors = [{ type: 'text' as const }] }, id) => ({
    id,
    selector,
    many,
    baseline: undefined,
    isSteady: false,
    extractors: extractors.map((spec, place) => ({ id: place, name: spec.type, spec })),
  }));
  const reading = await readPage({
    source,
    status: 200,
    headers: [],
    requestedUrl: source.url,
    watch: 'page',
    filter,
    targets,
    captureMs: 0,
  });
  return reading.page?.text ?? reading.targets.flatMap(({ values }) => values.map((value) => value.problem ?? value.text)).join('\n');
}

/** White space, also around tags, and where a namespace is declared, count for nothing. */
function folded(text: string): string {
  const plain = text.replaceAll(/ xmlns(?::\w+)?="[^"]*"/g, '');
  return plain
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([<>]) ?/g, '$1')
    .trim();
}
