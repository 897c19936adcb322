// The browser as a part of the agent's health.
import type { HealthPart } from '@weft/contract';
import type { BrowserState } from '@weft/engine/io';

/** Pages that need no browser come without one, so its absence is a warning. */
export function browserPart(state: BrowserState): HealthPart {
  if (state.status === 'absent')
    return {
      name: 'browser',
      status: 'warn',
      message: 'No browser was found; pages that need one fail.',
      fix: state.fix ?? 'weft browser install',
    };
  const which = `${state.name ?? 'A browser'} (${SOURCES[state.source ?? 'system']})`;
  return {
    name: 'browser',
    status: 'ok',
    message:
      state.status === 'running'
        ? `${which}, version ${state.version}, is running.`
        : `${which} is started by the first page that needs it.`,
  };
}

const SOURCES: Readonly<Record<NonNullable<BrowserState['source']>, string>> = {
  configured: 'SERVICE_CHROME',
  system: 'of the system',
  playwright: "Playwright's own",
  packed: 'from npm',
};
