// What maps add to the cloud: they are asked for without a key, and by models.
import type { Group } from '../group.ts';
import { createMaps } from './map.ts';
import type { Maps } from './map.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly maps: Maps;
  }
}

export const group: Group = { nouns: { maps: ({ askingPorts }) => createMaps(askingPorts) } };
