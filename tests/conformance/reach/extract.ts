// How to bring each operation of extract to each status that it declares.
import type { Reach } from '../ways.ts';
import { PAGE_URL, plain, post } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'extract.run': {
    base: post('/x/extract', { url: PAGE_URL, css: 'h1' }),
    ways: { 200: plain(post('/x/extract', { url: PAGE_URL, css: 'h1' })) },
  },
};
