// How to bring each operation of map to each status that it declares.
import type { Reach } from '../ways.ts';
import { PAGE_URL, plain, post } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'map.run': { base: post('/x/map', { url: PAGE_URL }), ways: { 200: plain(post('/x/map', { url: PAGE_URL, search: 'shelf' })) } },
};
