import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import type { MicrodataItem } from './microdata.ts';
import { readStructuredData } from './structured.ts';

const SAMPLES = join(tmpdir(), 'weft-data', 'corpora', 'extruct', 'tests', 'samples');
const isThere = existsSync(SAMPLES);

interface Sample {
  readonly name: string;
  readonly html: string;
  readonly expected: unknown;
}

/** Pages of a folder that have expected data of the given kind beside them. */
function samplesOf(folder: string, extension: string): readonly Sample[] {
  if (!isThere) return [];
  const names = readdirSync(join(SAMPLES, folder)).filter((name) => name.endsWith(extension));
  return names
    .map((name) => ({ name, page: join(SAMPLES, folder, name.replace(extension, '.html')), data: join(SAMPLES, folder, name) }))
    .filter(({ page }) => existsSync(page))
    .map(({ name, page, data }) => ({
      name,
      html: readFileSync(page, 'utf8'),
      expected: JSON.parse(readFileSync(data, 'utf8')) as unknown,
    }));
}

const read = (html: string) => readStructuredData(parseTree(html, 'http://www.example.com/index.html'));

/** Nodes of nested lists in one list, as we return them. */
function flat(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(flat);
  if (typeof value !== 'object' || value === null) return [];
  return 'items' in value ? flat(value.items) : [value];
}

/** An item in the samples' form. */
const formOf = (item: MicrodataItem): unknown => ({
  ...(item.types.length > 0 ? { type: item.types } : {}),
  ...(item.id === undefined ? {} : { id: item.id }),
  properties: Object.fromEntries(
    Object.entries(item.properties).map(([key, values]) => [
      key,
      values.map((value) => (typeof value === 'string' ? value : formOf(value))),
    ]),
  ),
});

/** A list of one counts as its member, members have no order, white space is one blank. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim();
  if (Array.isArray(value)) return value.length === 1 ? plain(value[0]) : value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, each]) => [key, plain(each)]));
}

describe('the public samples', { skip: isThere ? false : 'the corpora are absent' }, () => {
  for (const folder of ['schema.org', 'schema.org.invalid', 'custom.invalid', 'songkick']) {
    for (const { name, html, expected } of samplesOf(folder, '.jsonld')) {
      it(`reads the JSON-LD of ${name}`, () => assert.deepEqual(flat(read(html).jsonLd), flat(expected)));
    }
  }

  for (const { name, html, expected } of samplesOf('w3c', '.json')) {
    // The others expect relative addresses, or those of another page.
    if (!/4\.2|5\.2|5\.3/.test(name)) continue;
    it(`reads the microdata of ${name}`, () => assert.deepEqual(plain(read(html).microdata.map(formOf)), plain(expected)));
  }

  for (const { name, html, expected } of samplesOf('misc', '.json').filter(({ name }) => name === 'opengraph_test.json')) {
    it(`reads the OpenGraph of ${name}`, () => {
      const [{ properties }] = expected as [{ properties: readonly (readonly [string, string])[] }];
      const found = Object.entries(read(html).openGraph).flatMap(([key, values]) => values.map((value) => [key, value]));
      // Declared prefixes only are expected there; `fb:` is read here, too.
      assert.deepEqual(
        found.filter(([key]) => !key?.startsWith('fb:')),
        properties,
      );
    });
  }
});
