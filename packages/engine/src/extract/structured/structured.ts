// The structured data of a page, each part read when it is first asked for.
import type { PageTree } from '../../html/tree.ts';
import { scriptsOf } from '../../html/named-elements.ts';
import type { JsonLdNode } from './json-ld.ts';
import { readJsonLd } from './json-ld.ts';
import type { MicrodataItem } from './microdata.ts';
import { readMicrodata } from './microdata.ts';
import { readOpenGraph } from './open-graph.ts';
import { readRdfaLite } from './rdfa-lite.ts';
import type { PageState } from './states.ts';
import { readStates } from './states.ts';

/** The structured data of a page, by format; each part is empty where the page has none. */
export interface StructuredData {
  readonly jsonLd: readonly JsonLdNode[];
  readonly microdata: readonly MicrodataItem[];
  readonly rdfaLite: readonly MicrodataItem[];
  readonly openGraph: Readonly<Record<string, readonly string[]>>;
  readonly states: readonly PageState[];
}

/** What the page says about itself in machine-readable form. Parts that are absent are empty; broken parts are left out. */
export function readStructuredData(tree: PageTree): StructuredData {
  const jsonLd = once(() => readJsonLd(scriptsOf(tree)));
  const microdata = once(() => readMicrodata(tree.root, tree.baseUrl));
  const rdfaLite = once(() => readRdfaLite(tree.root, tree.baseUrl));
  const openGraph = once(() => readOpenGraph(tree.root));
  const states = once(() => readStates(scriptsOf(tree)));
  return {
    get jsonLd() {
      return jsonLd();
    },
    get microdata() {
      return microdata();
    },
    get rdfaLite() {
      return rdfaLite();
    },
    get openGraph() {
      return openGraph();
    },
    get states() {
      return states();
    },
  };
}

function once<Value>(read: () => Value): () => Value {
  let held: { readonly value: Value } | undefined;
  return () => (held ??= { value: read() }).value;
}
