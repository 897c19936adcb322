// The part of fontoxpath that the engine uses. The package's own declarations pull in the whole DOM library, whose globals must not
// type-check in code that has no DOM.

/** A node as fontoxpath meets it; the facade says what it holds. */
export interface Node {
  readonly nodeType: number;
}
export type Attr = Node;
export type LexicalQualifiedName = { readonly localName: string; readonly prefix: string };
export type ResolvedQualifiedName = { readonly localName: string; readonly namespaceURI: string };

export interface IDomFacade {
  getAllAttributes(node: Node): Node[];
  getAttribute(node: Node, name: string): string | null;
  getChildNodes(node: Node): Node[];
  getData(node: Node): string;
  getFirstChild(node: Node): Node | null;
  getLastChild(node: Node): Node | null;
  getNextSibling(node: Node): Node | null;
  getParentNode(node: Node): Node | null;
  getPreviousSibling(node: Node): Node | null;
}

interface EvaluateXPath {
  (
    selector: string,
    contextItem: unknown,
    domFacade: IDomFacade | null,
    variables: Readonly<Record<string, unknown>> | null,
    returnType: number,
    options: {
      readonly language: string;
      readonly namespaceResolver?: (prefix: string) => string | null;
      readonly functionNameResolver?: (name: LexicalQualifiedName, arity: number) => ResolvedQualifiedName;
    },
  ): readonly unknown[];
  readonly ALL_RESULTS_TYPE: number;
  readonly XPATH_3_1_LANGUAGE: string;
}

declare const fontoxpath: {
  readonly evaluateXPath: EvaluateXPath;
  getBucketForSelector(selector: string): string | null;
};
export default fontoxpath;
