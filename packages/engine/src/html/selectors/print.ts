// What an element shows of itself, by which a later run recognises it.
import type { Element } from 'domhandler';
import type { ElementPrint } from '../../run/session.ts';
import { attribute } from '../walk.ts';
import { nameOf, roleOf } from './accessible.ts';
import type { NameIndex } from './accessible.ts';

/** The print of an element; `index` comes from readNameIndex of its page. */
export function printOf(element: Element, index: NameIndex): ElementPrint {
  const role = roleOf(element);
  const name = nameOf(element, index);
  const type = attribute(element, 'type')?.toLowerCase();
  return {
    tag: element.name,
    ...(role === undefined ? {} : { role }),
    ...(name === '' ? {} : { name }),
    ...(type === undefined ? {} : { type }),
  };
}
