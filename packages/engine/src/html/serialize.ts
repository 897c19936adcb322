// Writes a tree back as HTML.
import { serializeOuter } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';

export interface CleanHtmlOptions {
  readonly baseUrl: string;
  readonly excluded?: ReadonlySet<AnyNode>;
}

/** HTML of the elements among `nodes`. */
export function cleanHtml(nodes: readonly AnyNode[], _options: CleanHtmlOptions): string {
  return nodes
    .filter((node): node is Element => isTag(node))
    .map(rawHtml)
    .join('\n');
}

export function rawHtml(node: Element): string {
  return serializeOuter(node, { treeAdapter: adapter });
}
