// How to bring each operation of token to each status that it declares.
import type { Reach } from '../ways.ts';
import { plain, post } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'token.rotate': { base: post('/x/token/rotate'), ways: { 200: plain(post('/x/token/rotate')) } },
};
