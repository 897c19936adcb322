// Automations as a document has them: monitors and automations by their numbers in it, everything else by its name.
import { AppError } from '@weft/contract';
import type { MonitorConfiguration } from '@weft/contract';

/** What ids become, or what becomes ids. Each throws AppError where there is no such thing. */
export interface Renaming {
  readonly monitor: (ref: number) => number;
  readonly automation: (ref: number) => number;
  readonly workflow: (ref: string | number) => string | number;
  readonly persona: (ref: string | number) => string | number;
  readonly channel: (ref: string | number) => string | number;
  readonly crawl: (ref: string) => string;
}

/** An automation of a document. */
export type AutomationDocument = MonitorConfiguration['automations'][number];
type Members = Readonly<Record<string, unknown>>;

const NOUNS = ['monitor', 'automation', 'workflow', 'persona'] as const;
/** The members of a condition or an action that are templates, or hold some. */
const TEMPLATED = new Set(['inputs', 'title', 'body']);

/** `body` of an automation with numbers and names in the place of ids. */
export function toDocument(body: Members, renaming: Renaming): AutomationDocument {
  return renamed(body, renaming, (noun) => [`${noun}_id`, noun]);
}

/** The other way round; not checked against the contract. */
export function fromDocument(document: AutomationDocument, renaming: Renaming): Members {
  return renamed(document, renaming, (noun) => [noun, `${noun}_id`]);
}

/** The numbers of the automations that `document` names. */
export function automationsNamedIn({ actions }: AutomationDocument): readonly number[] {
  const named = (Array.isArray(actions) ? actions : []).map((action: Members | null) => action?.['automation']);
  return named.filter((number) => typeof number === 'number');
}

/** The monitors that `body` of an automation names, by their ids. */
export function monitorsNamedIn(body: Members): ReadonlySet<number> {
  const named = new Set<number>();
  const note = (id: number) => {
    named.add(id);
    return id;
  };
  const same = <Ref>(ref: Ref) => ref;
  toDocument(body, { monitor: note, automation: same, workflow: same, persona: same, channel: same, crawl: same });
  return named;
}

type MemberNames = (noun: (typeof NOUNS)[number]) => readonly [from: string, to: string];

function renamed({ triggers, conditions, actions, ...rest }: Members, renaming: Renaming, names: MemberNames): AutomationDocument {
  const each = (list: unknown, map: (part: unknown) => unknown) => (Array.isArray(list) ? list.map(map) : list);
  return {
    ...rest,
    triggers: each(triggers, (trigger) => renamedPart(trigger, renaming, names)),
    ...(conditions === undefined ? {} : { conditions: renamedTemplates(conditions, renaming) }),
    actions: each(actions, (action) => renamedPart(action, renaming, names)),
  };
}

/** A trigger, an action, or the patch of one. */
function renamedPart(part: unknown, renaming: Renaming, names: MemberNames): unknown {
  if (!isMembers(part)) return part;
  const entries = Object.entries(part).map(([name, value]): [string, unknown] => {
    const noun = NOUNS.find((one) => names(one)[0] === name);
    if (noun !== undefined && isRef(value)) return [names(noun)[1], refOf(noun, value, renaming)];
    if (name === 'channels' && Array.isArray(value)) return [name, value.map((ref) => (isRef(ref) ? renaming.channel(ref) : ref))];
    if (name === 'ref' && typeof value === 'string') return [name, renaming.crawl(value)];
    if (name === 'patch') return [name, renamedPart(value, renaming, names)];
    return [name, TEMPLATED.has(name) ? renamedTemplates(value, renaming) : value];
  });
  return Object.fromEntries(entries);
}

function refOf(noun: (typeof NOUNS)[number], ref: string | number, renaming: Renaming): string | number {
  if (noun === 'workflow' || noun === 'persona') return renaming[noun](ref);
  if (typeof ref === 'number') return renaming[noun](ref);
  throw new AppError('bad_request', `"${ref.slice(0, 100)}" is no number of the document.`);
}

/** `{{values.3.price}}` names monitor 3, and so does `{{states.3}}`. */
function renamedTemplates(value: unknown, renaming: Renaming): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{[^{}]*\}\}/g, (template) =>
      template.replaceAll(
        /\b(values|states)([.[])(\d{1,15})\b/g,
        (_whole, root: string, mark: string, id: string) => `${root}${mark}${renaming.monitor(Number(id))}`,
      ),
    );
  if (Array.isArray(value)) return value.map((one) => renamedTemplates(one, renaming));
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamedTemplates(one, renaming)]));
}

function isRef(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
