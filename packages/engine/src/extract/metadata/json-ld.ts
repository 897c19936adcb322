// Finds the JSON-LD node that describes the page itself.
import type { JsonLdNode } from '../structured/json-ld.ts';
import { membersOf, typesOf } from '../structured/json-ld.ts';
import { isJsonObject } from '../../html/loose-json.ts';

const NODES_MAX = 500;
const DEPTH_MAX = 4;
const PAGE_TYPE =
  /(?:article|posting|blogpost|newsarticle|report|webpage|faqpage|aboutpage|itempage|qapage|product|recipe|event|movie|book|videoobject|course|jobposting|softwareapplication|review)$/;

/** `nodes`, each with what it names as its main entity behind it; at most 500. */
export function withMainEntities(nodes: readonly JsonLdNode[]): readonly JsonLdNode[] {
  const all: JsonLdNode[] = [];
  for (const node of nodes) collect(node, all, 0);
  return all;
}

/** The node that describes the page: an article before a product or other thing, those before a bare web page. */
export function findPageNode(nodes: readonly JsonLdNode[]): JsonLdNode | undefined {
  const described = nodes.filter((node) => typesOf(node).some((type) => PAGE_TYPE.test(type)));
  return (
    described.find((node) => typesOf(node).some((type) => /article|posting|report$/.test(type))) ?? described.find(isThing) ?? described[0]
  );
}

function isThing(node: JsonLdNode): boolean {
  return typesOf(node).every((type) => !type.endsWith('page'));
}

function collect(node: JsonLdNode, all: JsonLdNode[], depth: number): void {
  if (all.length >= NODES_MAX || depth > DEPTH_MAX) return;
  all.push(node);
  for (const key of ['mainEntity', 'mainEntityOfPage'])
    for (const value of membersOf(node, key)) if (isJsonObject(value)) collect(value, all, depth + 1);
}
