// What screens add to the agent: pages of its browser that a person acts on.
import { LIMITS } from '@weft/contract';
import type { Actor } from '@weft/serve';
import type { Group } from '../group.ts';
import { screenRoute } from './page.ts';
import type { Screens } from './screens.ts';
import { createScreens } from './screens.ts';
import type { ScreenPorts } from './socket.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly screens: Screens;
    readonly screenPorts: ScreenPorts;
  }
}

export const group: Group = {
  nouns: {
    screens: () => createScreens(),
    screenPorts: ({ screens, tickets }) => ({
      screens,
      nextTicket: (actor: Actor) => tickets.mint(actor, '', LIMITS.screenTicketSeconds).ticket,
    }),
  },
  routes: () => ({ '/screen': screenRoute }),
};
