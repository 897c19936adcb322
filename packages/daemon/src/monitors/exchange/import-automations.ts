// Automations of a document: checked before anything is made, and made after the monitors and channels that they name.
import { AppError, NewAutomation } from '@weft/contract';
import type { Automation, LeftOut, NewAutomation as AutomationBody } from '@weft/contract';
import { faultOfAutomation } from '@weft/engine';
import type { ReadEntry } from '@weft/engine';
import { automationsNamedIn, fromDocument } from './automation-document.ts';
import type { AutomationDocument, Renaming } from './automation-document.ts';
import { idOf } from './names.ts';
import type { NamePorts } from './names.ts';
import { orLeave, parsed } from './parsed.ts';

export interface AutomationMaking {
  /** Throws AppError `bad_request`, `not_found`. */
  readonly create: (body: AutomationBody) => Pick<Automation, 'id' | 'name'>;
  /** Throws AppError `not_found` where there is no such saved crawl. */
  readonly requireCrawl: (ref: string) => void;
}

interface MakingPorts extends NamePorts {
  readonly making: AutomationMaking;
}

/** What is made with the document: monitors by their numbers, and channels. */
interface MadeWith {
  readonly numbers: ReadonlySet<number>;
  readonly newNames: ReadonlySet<string>;
}

/** Stands for an id that is not known before it is made. */
const ANY_ID = 1;

/** Those that can be made, each after those that it names, and why others can't. */
export function checkAutomations(
  read: readonly ReadEntry[],
  { numbers, newNames }: MadeWith,
  ports: MakingPorts,
): { readonly automations: readonly ReadEntry[]; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const checked = new Set<number>();
  const automations: ReadEntry[] = [];
  const isKnown = ({ entry }: ReadEntry) => automationsNamedIn(entry).every((number) => checked.has(number));
  const renaming = renamingOf(
    { monitor: (number) => (numbers.has(number) ? ANY_ID : undefined), automation: () => ANY_ID },
    newNames,
    ports,
  );
  let waiting = read;
  while (waiting.some(isKnown)) {
    const next = waiting.filter(isKnown);
    waiting = waiting.filter((one) => !next.includes(one));
    for (const one of next) {
      if (!orLeave(one.path, leftOut, () => bodyOf(one.entry, renaming))) continue;
      automations.push(one);
      if (typeof one.entry['number'] === 'number') checked.add(one.entry['number']);
    }
  }
  for (const { path } of waiting)
    leftOut.push({
      path,
      message: 'It names an automation that is not in the document or left out, or they name each other. It is left out as a whole.',
    });
  return { automations, leftOut };
}

/** Makes them; belongs into a transaction. One that is refused now, such as for a value that its monitor has not, is left out. */
export function makeAutomations(
  automations: readonly ReadEntry[],
  monitors: ReadonlyMap<number, number>,
  ports: MakingPorts,
): { readonly made: { readonly id: number; readonly path: string; readonly name: string }[]; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const ids = new Map<number, number>();
  const renaming = renamingOf({ monitor: (number) => monitors.get(number), automation: (number) => ids.get(number) }, new Set(), ports);
  const made = automations.flatMap(({ path, entry }) => {
    const one = orLeave(path, leftOut, () => ports.making.create(bodyOf(entry, renaming)));
    if (!one) return [];
    if (typeof entry['number'] === 'number') ids.set(entry['number'], one.id);
    return [{ id: one.id, path, name: one.name }];
  });
  return { made, leftOut };
}

function bodyOf({ number: _number, ...document }: AutomationDocument, renaming: Renaming): AutomationBody {
  const body = parsed(NewAutomation, fromDocument(document, renaming));
  const fault = faultOfAutomation(body);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return body;
}

/** Ids of this agent for the numbers and names of a document. */
function renamingOf(
  numbered: Readonly<Record<'monitor' | 'automation', (number: number) => number | undefined>>,
  newNames: ReadonlySet<string>,
  { workflows, personas, channels, making }: MakingPorts,
): Renaming {
  const byNumber = (noun: 'monitor' | 'automation') => (number: number) => {
    const id = numbered[noun](number);
    if (id === undefined) throw new AppError('not_found', `There is no ${noun} of number ${number} in the document.`);
    return id;
  };
  return {
    monitor: byNumber('monitor'),
    automation: byNumber('automation'),
    workflow: (name) => idOf('workflow', name, workflows),
    persona: (name) => idOf('persona', name, personas),
    channel: (name) => (typeof name === 'string' && newNames.has(name) ? ANY_ID : idOf('channel', name, channels)),
    crawl(ref) {
      making.requireCrawl(ref);
      return ref;
    },
  };
}
