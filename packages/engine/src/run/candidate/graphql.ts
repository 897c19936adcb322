// Tells from a body of GraphQL alone whether it only asks (GraphQL, October 2021, 2.1 and 2.3).

const TOKEN = /"""(?:[^"\\]|\\"""|\\|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*|[_A-Za-z]\w*|["{}()[\]]/g;
const OPENS = new Set(['{', '(', '[']);
const CLOSES = new Set(['}', ')', ']']);

/**
 * `query` where each operation of each document is one, which changes nothing (6.2.1); `other` for mutations, subscriptions, and documents
 * that are named by a hash alone; undefined for a body (parsed JSON) that is no GraphQL.
 */
export function graphqlKind(body: unknown): 'query' | 'other' | undefined {
  const calls: readonly unknown[] = Array.isArray(body) ? body : [body];
  const documents = calls.map(documentOf);
  if (documents.every((document) => document === undefined)) return undefined;
  return documents.every((document) => document !== undefined && asksOnly(document)) ? 'query' : 'other';
}

function documentOf(call: unknown): string | undefined {
  if (typeof call !== 'object' || call === null) return undefined;
  const { query, operationName, extensions } = call as {
    readonly query?: unknown;
    readonly operationName?: unknown;
    readonly extensions?: unknown;
  };
  // A search by REST may have a member `query` as well: there it is words, and no document.
  if (typeof query === 'string' && /[{}]/.test(query)) return query;
  return operationName !== undefined || extensions !== undefined ? '' : undefined;
}

/** Every definition of a document is a query or a fragment, and whole. */
function asksOnly(document: string): boolean {
  let depth = 0;
  let begins = true;
  let definitions = 0;
  for (const [token] of document.matchAll(TOKEN)) {
    if (token === '"') return false;
    if (token.startsWith('"') || token.startsWith('#')) continue;
    if (depth === 0 && begins) {
      if (!/^(?:\{|query|fragment)$/.test(token)) return false;
      begins = false;
      definitions += 1;
    }
    if (OPENS.has(token)) depth += 1;
    if (CLOSES.has(token)) depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && token === '}') begins = true;
  }
  return definitions > 0 && depth === 0 && begins;
}
