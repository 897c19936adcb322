// What monitors name by id, by the names that people know.
import { AppError } from '@weft/contract';
import type { MonitorSpec } from '@weft/contract';
import type { NamedThings } from '@weft/engine';

/** Something that has an id and a name. */
interface Named {
  readonly id: number;
  readonly name: string;
}

export interface NamePorts {
  /** By slug. */
  readonly workflows: () => readonly Named[];
  readonly personas: () => readonly Named[];
  readonly channels: () => readonly Named[];
}

/** The same, with each list asked for once: for what is done in one go. */
export function askedOnce({ workflows, personas, channels }: NamePorts): NamePorts {
  return { workflows: once(workflows), personas: once(personas), channels: once(channels) };
}

function once<Value>(ask: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= ask());
}

type Ids = Pick<MonitorSpec, 'workflow_id' | 'persona_id' | 'channels'>;

/** The ids of what is named. Throws AppError `not_found` where there is no such thing, `bad_request` where several have the name. */
export function idsOf({ workflow, persona, channels }: NamedThings, ports: NamePorts): Ids {
  return {
    ...(workflow === undefined ? {} : { workflow_id: idOf('workflow', workflow, ports.workflows) }),
    ...(persona === undefined ? {} : { persona_id: idOf('persona', persona, ports.personas) }),
    ...(channels === undefined ? {} : { channels: channels.map((channel) => idOf('channel', channel, ports.channels)) }),
  };
}

/** Throws AppError `not_found`, `bad_request` where several have the name. */
export function idOf(noun: string, name: string | number, all: () => readonly Named[]): number {
  if (typeof name === 'number') return name;
  const [first, second] = all().filter((one) => one.name === name);
  if (!first) throw new AppError('not_found', `There is no ${noun} "${name.slice(0, 100)}".`);
  if (second) throw new AppError('bad_request', `Several ${noun}s are called "${name.slice(0, 100)}".`);
  return first.id;
}

/** The other way round: the name, and the id where others have that name. */
export function namesOf({ workflow_id: workflow, persona_id: persona, channels }: Ids, ports: NamePorts): NamedThings {
  return {
    ...(workflow === undefined ? {} : { workflow: nameOf(workflow, ports.workflows) }),
    ...(persona === undefined ? {} : { persona: nameOf(persona, ports.personas) }),
    ...(channels === undefined ? {} : { channels: channels.map((channel) => nameOf(channel, ports.channels)) }),
  };
}

/** The name of `id`, and `id` itself where others have that name. */
export function nameOf(id: number, all: () => readonly Named[]): string | number {
  const list = all();
  const name = list.find((one) => one.id === id)?.name;
  return name === undefined || list.filter((one) => one.name === name).length > 1 ? id : name;
}
