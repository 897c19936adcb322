// How to bring each operation of ws-ticket to each status that it declares.
import type { Reach } from '../ways.ts';
import { plain, post } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'wsTicket.create': { base: post('/v1/ws-ticket'), ways: { 201: plain(post('/v1/ws-ticket')) } },
};
