// Takes the way up out of a listing of a folder: servers list the folder above as if it were in the folder.
import type { Block } from '../survey/survey.ts';

const OTHERS_MIN = 2;

/** `items` without the one that leads to a folder above the page's own, where all others lead below it. */
export function withoutWayUp(items: readonly (readonly Block[])[], pageUrl: string): readonly (readonly Block[])[] {
  const own = URL.parse('.', pageUrl);
  if (!own || items.length <= OTHERS_MIN) return items;
  const [ways, others] = [items.filter((blocks) => leadsUp(blocks, own)), items.filter((blocks) => !leadsUp(blocks, own))];
  return ways.length === 1 && others.every((blocks) => leadsDown(blocks, own)) ? others : items;
}

function leadsUp([head]: readonly Block[], own: URL): boolean {
  const href = head?.href ?? '';
  if (href === '' || (!href.startsWith('..') && !href.endsWith('/'))) return false;
  const target = URL.parse(href, own.href);
  return (
    target?.host === own.host &&
    target.pathname.endsWith('/') &&
    target.pathname !== own.pathname &&
    own.pathname.startsWith(target.pathname)
  );
}

function leadsDown([head]: readonly Block[], own: URL): boolean {
  const target = head && head.href !== '' ? URL.parse(head.href, own.href) : null;
  return target?.host === own.host && target.pathname.startsWith(own.pathname);
}
