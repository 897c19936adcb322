// What models add to the agent: the one that the settings name, for steps and builds.
import type { OpenModel } from '@weft/engine/io';
import type { Group } from '../group.ts';
import { modelHandlers } from './handlers.ts';
import { healthOfModel, openNamedModel } from './model.ts';

declare module '../group.ts' {
  interface Nouns {
    /** Undefined where the settings name none. */
    readonly model: OpenModel | undefined;
  }
}

export const group: Group = {
  nouns: { model: ({ settings, config, secrets, clock }) => openNamedModel({ settings, config, secrets, clock }) },
  extra: ({ settings, model, clock }) => ({ models: modelHandlers({ settings, model, clock }) }),
  health: ({ settings, config, secrets }) => healthOfModel({ settings, config, secrets }),
  close: async ({ model }) => await model?.close(),
};
