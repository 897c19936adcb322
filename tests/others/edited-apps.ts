// Applications that others wrote, whose things are edited through their own interfaces, and what each thing then is by their own files.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringPackages } from '../../bench/apps/packages.ts';
import { ownPrograms } from '../../bench/apps/programs.ts';
import { installApp, placeOf, startApp } from '../../bench/apps/runner.ts';
import { DOKUWIKI, dataOf } from '../../bench/apps/software/dokuwiki.ts';
import { freePort } from '../../bench/src/processes.ts';
import { until } from '../until.ts';

/** One thing that is watched. */
export interface EditedThing {
  readonly url: string;
  /** Of what is watched, for us and for others. */
  readonly selector: string;
  /** What is watched, by the file or the database of the application. */
  value(): string | Promise<string>;
  /** Changes what is watched. */
  editValue(random: () => number): Promise<void>;
  /** Changes something else of the same page. */
  editOther(random: () => number): Promise<void>;
}

export interface EditedApp {
  readonly name: string;
  readonly version: string;
  readonly things: readonly EditedThing[];
  close(): Promise<void>;
}

const PRODUCTS = 16;
const JSON_SERVER = '0.17.4';
const ARTICLES = ['bean', 'carrot', 'tomato', 'basil', 'mint', 'apple', 'pear', 'plum'] as const;

interface Product {
  readonly id: number;
  readonly price: number;
  readonly stock: number;
  readonly views: number;
  readonly text: string;
}

/** Products behind a REST interface: the price is watched. */
export async function startProducts(home: string): Promise<EditedApp> {
  const folder = join(home, 'json-server');
  mkdirSync(folder, { recursive: true });
  await bringPackages({ npm: { 'json-server': JSON_SERVER } }, home, folder);
  const file = join(folder, 'db.json');
  const products = Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1, price: 10 + i, stock: i, views: 0, text: `Kettle ${i + 1}` }));
  writeFileSync(file, JSON.stringify({ products }));
  const port = await freePort();
  const programs = ownPrograms(join(folder, 'log.txt'));
  programs.start(process.execPath, [
    join(folder, 'node_modules/json-server/lib/cli/bin.js'),
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    file,
  ]);
  await programs.answers(`http://127.0.0.1:${port}/products`);
  const things = products.map(({ id }): EditedThing => {
    const url = `http://127.0.0.1:${port}/products/${id}`;
    const read = () => {
      const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly products: readonly Product[] };
      const one = kept.products.find((product) => product.id === id);
      assert.ok(one);
      return one;
    };
    const patch = async (body: Partial<Product>) => {
      const answer = await fetch(url, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      assert.equal(answer.status, 200, await answer.text());
      // It answers before its file is written.
      await until(() =>
        Object.entries(body).every(([name, value]) => Object.entries(read()).some(([own, kept]) => own === name && kept === value)),
      );
    };
    return {
      url,
      selector: 'jsonpath/$.price',
      value: () => String(read().price),
      editValue: (random) => patch({ price: read().price + 1 + Math.floor(random() * 9) }),
      editOther: (random) =>
        patch(pick([{ views: read().views + 1 }, { stock: read().stock + 1 }, { text: `Kettle, ${random()}` }], random)),
    };
  });
  return { name: 'json-server', version: JSON_SERVER, things, close: () => programs.stop() };
}

/** Pages of a wiki: the weeks of the first tool in the table are watched. */
export async function startWiki(home: string): Promise<EditedApp> {
  await installApp(DOKUWIKI, home);
  await DOKUWIKI.install(placeOf(DOKUWIKI, home));
  const running = await startApp(DOKUWIKI, home);
  const pages = await DOKUWIKI.truth(placeOf(DOKUWIKI, home), running.origin);
  const ids = pages
    .map(({ path }) => new URL(path, running.origin).searchParams.get('id') ?? '')
    .filter((id) => ARTICLES.some((name) => id.endsWith(`:${name}`)));
  assert.ok(ids.length > 0, pages.map(({ path }) => path).join(' '));
  const things = ids.map((id): EditedThing => {
    const url = `${running.origin}/doku.php?id=${id}`;
    const file = join(dataOf(placeOf(DOKUWIKI, home)), 'pages', `${id.replaceAll(':', '/')}.txt`);
    const read = () => readFileSync(file, 'utf8');
    const save = async (change: (text: string) => string) => {
      const text = read();
      const changed = change(text);
      assert.notEqual(changed, text, `${id} was to be edited`);
      await saveWikiPage(url, changed);
      assert.equal(read().trim(), changed.trim(), `${id} was saved`);
    };
    return {
      url,
      selector: 'table.inline tr.row1 td.col2',
      value: () => ROW.exec(read())?.[2]?.trim() ?? '',
      editValue: (random) =>
        save((text) =>
          text.replace(ROW, (_row, before: string, weeks: string) => `${before} ${Number(weeks) + 1 + Math.floor(random() * 9)} |`),
        ),
      editOther: (random) =>
        save((text) =>
          random() < 0.5
            ? text.replace('\n\n===== Tools', `\n\nSeen again on day ${Math.floor(random() * 1e9)}.\n\n===== Tools`)
            : text.replace('===== Steps =====\n\n', `===== Steps =====\n\n  - Look again, ${Math.floor(random() * 1e9)}\n`),
        ),
    };
  });
  return { name: 'DokuWiki', version: running.version, things, close: () => running.stop() };
}

/** The first row of the table of tools: what stands before its last cell, and that. */
const ROW = /(\^ Weeks \^\n\|[^|\n]*\|[^|\n]*\|)([^|\n]*)\|/;

/** As a person does it: the form of the page, with everything that it hides. */
async function saveWikiPage(url: string, text: string): Promise<void> {
  const opened = await fetch(`${url}&do=edit`);
  const form = /<form[^>]*id="dw__editform"[^]*?<\/form>/.exec(await opened.text())?.[0] ?? '';
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as [string, string],
  );
  const cookie = opened.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const body = new URLSearchParams([...hidden, ['wikitext', text], ['summary', 'An edit.'], ['do[save]', 'Save']]);
  const answer = await fetch(url, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  await answer.body?.cancel();
}

export function pick<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  assert.ok(one !== undefined);
  return one;
}
