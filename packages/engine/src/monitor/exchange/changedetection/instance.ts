// What an instance of changedetection.io says for all of its watches: its settings and its tags.
import { objectIn, textIn } from '../../../run/exchange/untrusted.ts';
import { isMembers } from '../../../run/value.ts';

type Members = Readonly<Record<string, unknown>>;

/** Empty settings are those of a new instance. */
export interface Instance {
  readonly application: Members;
  readonly requests: Members;
  readonly headers: Members;
  /** By uuid. */
  readonly tags: ReadonlyMap<string, Members>;
}

/** A watch of it. */
export interface Watch {
  readonly path: string;
  readonly options: Members;
  /** Of `restock_diff`, where it lies in a file of its own. */
  readonly restock: Members | undefined;
}

/** The settings as a backup has them, with tags that lie elsewhere. */
export function instanceOf(settings: Members, tags: ReadonlyMap<string, Members> = new Map()): Instance {
  const application = objectIn(settings, 'application') ?? {};
  const own = Object.entries(objectIn(application, 'tags') ?? {}).flatMap(([uuid, tag]) => (isMembers(tag) ? [[uuid, tag] as const] : []));
  return {
    application,
    requests: objectIn(settings, 'requests') ?? {},
    headers: objectIn(settings, 'headers') ?? {},
    tags: new Map([...own, ...tags]),
  };
}

/** The tags of a watch: by uuid, and before there were such by their titles in one text. */
export function tagsOf({ options }: Watch, { tags }: Instance): { readonly known: readonly Members[]; readonly titles: readonly string[] } {
  const uuids = Array.isArray(options['tags']) ? options['tags'].map(String) : [];
  const known = uuids.map((uuid) => tags.get(uuid)).filter((tag) => tag !== undefined);
  const unknown = uuids.filter((uuid) => !tags.has(uuid));
  const old = (textIn(options, 'tag') ?? '').split(',').map((title) => title.trim());
  const titles = [...known.map((tag) => textIn(tag, 'title') ?? ''), ...unknown, ...old].filter((title) => title !== '');
  return { known, titles };
}

/** A list of texts of a watch with those of its tags and, where there are such, of all watches; each once, blank ones left out. */
export function linesFor(name: string, watch: Watch, instance: Instance): readonly string[] {
  const { known } = tagsOf(watch, instance);
  const lists = [watch.options[name], ...known.map((tag) => tag[name]), instance.application[`global_${name}`]];
  const lines = lists.flatMap((list) => (Array.isArray(list) ? list : typeof list === 'string' ? list.split('\n') : [])).map(String);
  return [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
}
