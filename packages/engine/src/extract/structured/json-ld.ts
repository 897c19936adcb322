// Reads JSON-LD blocks tolerantly and lays their graphs flat.
import type { Element } from 'domhandler';
import { scriptTextOf } from '../../html/walk.ts';
import type { JsonObject, JsonValue } from '../../html/loose-json.ts';
import { isJsonObject, parseLooseJson } from '../../html/loose-json.ts';

/** A JSON-LD node as written; nodes inside it stay where they are. */
export type JsonLdNode = JsonObject;

/** A longer block is left unread. */
export const JSON_LD_CHARS_MAX = 4_000_000;
/** Further nodes are left out. */
export const JSON_LD_NODES_MAX = 5_000;

/** The top-level nodes of all JSON-LD blocks in document order: arrays opened, `@graph` members instead of their holder. */
export function readJsonLd(scripts: readonly Element[]): readonly JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  for (const script of scripts) {
    if (!isJsonLdType(script.attribs['type'])) continue;
    const text = scriptTextOf(script);
    if (text.length > JSON_LD_CHARS_MAX) continue;
    for (const value of parseLooseJson(unwrap(text))) collectNodes(value, nodes, 0);
  }
  return nodes;
}

/** The node's types without prefix or address, in lower case: `http://schema.org/Product` is `product`. */
export function typesOf(node: JsonLdNode): readonly string[] {
  const types = node['@type'] ?? node['type'];
  return (Array.isArray(types) ? types : [types]).filter((type) => typeof type === 'string').map(shortName);
}

/** The last part of an address or prefixed name in lower case: `schema:InStock` is `instock`. */
export function shortName(name: string): string {
  return name
    .trim()
    .replace(/^.*[/#:]/, '')
    .toLowerCase();
}

/** The value of `key`, whatever the case of its letters and with or without a `schema:` prefix. */
export function memberOf(node: JsonObject, key: string): JsonValue | undefined {
  if (node[key] !== undefined) return node[key];
  const wanted = key.toLowerCase();
  return Object.entries(node).find(([name]) => shortName(name) === wanted)?.[1];
}

/** The values of `key` as a list: none where it is absent or null, one where it is single. */
export function membersOf(node: JsonObject, key: string): readonly JsonValue[] {
  return listOf(memberOf(node, key));
}

/** A value as a list: none where it is absent or null, one where it is single. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as JsonValue];
}

function isJsonLdType(type: string | undefined): boolean {
  return /^\s*application\/ld\+json\b/i.test(type ?? '');
}

/** Undoes what templates wrap around a block: entities instead of quotes. Comment and CDATA marks are for the reader. */
function unwrap(text: string): string {
  return /^\s*[{[]\s*&quot;/.test(text) ? text.replaceAll('&quot;', '"').replaceAll('&amp;', '&') : text;
}

function collectNodes(value: JsonValue, nodes: JsonLdNode[], depth: number): void {
  if (depth > 8 || nodes.length >= JSON_LD_NODES_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value) collectNodes(item, nodes, depth + 1);
  } else if (isJsonObject(value)) {
    const graph = value['@graph'];
    if (graph === undefined || value['@type'] !== undefined) nodes.push(value);
    if (graph !== undefined) collectNodes(graph, nodes, depth + 1);
  }
}
