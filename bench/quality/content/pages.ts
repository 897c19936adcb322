// The two public sets of pages with known main content, and the scores that their owners define.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findDataset, hostKey, splitOf } from '../dataset.ts';
import type { Split } from '../dataset.ts';

/** A stored page with the main content that people wrote down for it. */
export interface LabelledPage {
  readonly set: 'articles' | 'pages';
  readonly id: string;
  readonly url: string;
  readonly split: Split;
  /** The type that the truth names; every page of `articles` is an article. */
  readonly type: string;
  readonly truth: string;
  /** The page as it was stored, before decoding. */
  bytes(): Uint8Array;
}

/** Every page of `set` by id; empty where the data is absent. */
export function loadPages(set: 'articles' | 'pages'): readonly LabelledPage[] {
  const folder = findDataset(set);
  if (folder === undefined) return [];
  return set === 'articles' ? loadArticles(folder) : loadTyped(join(folder, 'dev'));
}

/** The text of a stored page; both sets keep their pages as UTF-8. */
export function decodePage(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function loadArticles(folder: string): LabelledPage[] {
  const truths = Object.entries(readJson(join(folder, 'ground-truth.json')) as Record<string, { articleBody: string; url: string }>);
  return truths.map(([id, { articleBody, url }]) => ({
    set: 'articles',
    id,
    url: url.includes('://') ? url : `https://${url}`,
    split: splitOf(hostKey(url.includes('://') ? url : `https://${url}`)),
    type: 'article',
    truth: articleBody,
    bytes: () => readPage(folder, id),
  }));
}

interface TypedTruth {
  readonly url?: string;
  readonly file_id?: string;
  readonly ground_truth: { readonly main_content: string | null };
  readonly _internal: { readonly page_type: { readonly primary: string } };
}

function loadTyped(folder: string): LabelledPage[] {
  const names = readdirSync(join(folder, 'ground-truth')).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const truth = readJson(join(folder, 'ground-truth', name)) as TypedTruth;
    const id = name.replace('.json', '');
    const url = truth.url || `https://${id}.invalid/`;
    return {
      set: 'pages',
      id,
      url,
      split: splitOf(hostKey(url)),
      type: truth._internal.page_type.primary,
      truth: truth.ground_truth.main_content ?? '',
      bytes: () => readPage(folder, id),
    };
  });
}

function readPage(folder: string, id: string): Uint8Array {
  return gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
