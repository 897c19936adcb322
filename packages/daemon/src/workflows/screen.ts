// The browser of a run, for a person to act in while the run waits for them.
import { AppError } from '@weft/contract';
import type { BrowserSession, BrowserSessions } from '@weft/engine';
import type { People } from '../runs/people.ts';
import type { Screen, Screens } from '../screens/screens.ts';

interface ScreenPorts {
  readonly screens: Screens;
  readonly people: Pick<People, 'questionOf' | 'answer'>;
}

/** Sessions of run `id`, the newest of which can be watched. */
export function watchedSessions(id: number, sessions: BrowserSessions, ports: ScreenPorts): BrowserSessions {
  return {
    open: async (options, signal) => {
      const session = await sessions.open(options, signal);
      ports.screens.hold('run', id, screenOf(id, session, ports));
      return session;
    },
  };
}

/** What the run does by itself is not come between: a person acts while they are asked. */
function screenOf(id: number, session: BrowserSession, { people }: ScreenPorts): Screen {
  return {
    session,
    state: () => {
      const question = people.questionOf(id);
      return { title: `Run ${id}`, instructions: question?.instructions ?? '', mayAct: question !== undefined, steps: [] };
    },
    open: () => Promise.reject(new AppError('conflict', 'A run goes by itself to the addresses of its steps.')),
    done: async (text) => people.answer(id, text === '' ? 'done' : text),
    discard: () => Promise.reject(new AppError('conflict', `To end the run: weft run cancel ${id}`)),
  };
}
