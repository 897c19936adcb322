// How to bring each operation of models to each status that it declares.
import type { Reach } from '../ways.ts';
import { plain, post } from '../ways.ts';

const TEST = post('/x/models/test');

export const reach: Readonly<Record<string, Reach>> = { 'models.test': { base: TEST, ways: { 200: plain(TEST) } } };
