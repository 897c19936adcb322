// An address in the parts by which it is compared with others: its parameters, and the places where a conclusion about one of them holds.
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { queryPairs } from '../../url/query-pairs.ts';
import { couldBeAction } from '../../url/trap-class.ts';

/** An address in parts that can be compared. */
export interface AddressParts {
  readonly host: string;
  readonly path: string;
  /** Values by name, decoded; a name that is said twice has both. */
  readonly values: ReadonlyMap<string, string>;
}

/** Where a comparison counts. */
export interface AddressScopes {
  /** Beside all that the other parameters say where that could be an action, or in the same folder. */
  readonly narrow: string;
  /** At the whole script, or on the host. */
  readonly wide: string;
}

/** The parts of `url`; undefined where it is no address. */
export function addressParts(url: string): AddressParts | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const values = new Map<string, string>();
  for (const pair of queryPairs(parsed)) {
    const value = decodeLoosely(pair.value.replaceAll('+', ' '));
    const known = values.get(pair.name);
    values.set(pair.name, known === undefined || known === value ? value : `${known}\t${value}`);
  }
  return { host: parsed.host, path: parsed.pathname, values };
}

/** The scopes in which what is said of the parameter `except` counts; of no parameter where it is empty. */
export function scopesOf({ host, path, values }: AddressParts, except: string): AddressScopes {
  const others = [...values].filter(([name]) => name !== except);
  if (others.length === 0) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1).replace(/[^/]*\d[^/]*/g, '*');
    return { narrow: `${host}${folder}`, wide: `${host}/**` };
  }
  const said = others.map(([name, value]) => (isWord(value) ? `${name}=${value}` : name));
  return {
    narrow: `${host}${path}?${said.toSorted().join('&')}`,
    wide: `${host}${path}?**`,
  };
}

/** Host, path and parameters in one order, `except` one. */
export function textOfParts({ host, path, values }: AddressParts, except?: string): string {
  const pairs = [...values].filter(([name]) => name !== except).map(([name, value]) => `${name}=${value}`);
  return `${host}${path}?${pairs.toSorted().join('&')}`;
}

/** Whether a value is a word, rather than the number of a thing. */
export function isWord(value: string): boolean {
  return couldBeAction({ name: '', value, text: value });
}

/** Whether a value names a content by its digest: git's object names (gitglossary(7), "object name"), whole or shortened to seven digits and more. */
export function isContentName(value: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/.test(value);
}
