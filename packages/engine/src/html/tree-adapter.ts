// Tells the parser how to make elements that are light: pages have tens of thousands of them.
import type { TreeAdapter } from 'parse5';
import { Element } from 'domhandler';
import type { Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { adapter } from 'parse5-htmlparser2-tree-adapter';

/** Pages may call an attribute anything, so nothing is inherited; one from a constructor is lighter than one from `Object.create(null)`. */
class Attributes {
  [name: string]: string;
}
Reflect.deleteProperty(Attributes.prototype, 'constructor');
Object.setPrototypeOf(Attributes.prototype, null);

type ParsedAttribute = Parameters<TreeAdapter<Htmlparser2TreeAdapterMap>['createElement']>[2][number];

/** The adapter of domhandler's nodes, but only an element with a prefixed attribute (`xlink:href` in drawings) tells prefixes and namespaces. */
export const treeAdapter: TreeAdapter<Htmlparser2TreeAdapterMap> = {
  ...adapter,
  createElement(name, namespace, attributes) {
    const element = new Element(name, new Attributes(), []);
    element.namespace = namespace;
    for (const attribute of attributes) addAttribute(element, attribute);
    return element;
  },
  adoptAttributes(element, attributes) {
    for (const attribute of attributes) if (!(attribute.name in element.attribs)) addAttribute(element, attribute);
  },
};

function addAttribute(element: Element, { name, value, namespace, prefix }: ParsedAttribute): void {
  element.attribs[name] = value;
  if (namespace === undefined || prefix === undefined) return;
  (element['x-attribsNamespace'] ??= new Attributes())[name] = namespace;
  (element['x-attribsPrefix'] ??= new Attributes())[name] = prefix;
}
