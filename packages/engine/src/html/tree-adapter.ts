// Tells the parser how to make elements that are light: pages have tens of thousands of them.
import type { TreeAdapter } from 'parse5';
import { Element } from 'domhandler';
import type { Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { isHidingSign, newSigns, noteSigns } from './hidden.ts';
import type { HidingSigns } from './hidden.ts';

/** Pages may call an attribute anything, so nothing is inherited; one from a constructor is lighter than one from `Object.create(null)`. */
class Attributes {
  [name: string]: string;
}
Reflect.deleteProperty(Attributes.prototype, 'constructor');
Object.setPrototypeOf(Attributes.prototype, null);

type ParsedAttribute = Parameters<TreeAdapter<Htmlparser2TreeAdapterMap>['createElement']>[2][number];

/** What the elements of the page that is being parsed say of hiding. An adapter for each page would cost the parser its inline caches. */
let signs = newSigns();

/** The signs of the elements that were made since this was last asked. Parsing is synchronous, so they are those of one page. */
export function takeSigns(): HidingSigns {
  const taken = signs;
  signs = newSigns();
  return taken;
}

/** The adapter of domhandler's nodes, but only an element with a prefixed attribute (`xlink:href` in drawings) tells prefixes and namespaces. */
export const treeAdapter: TreeAdapter<Htmlparser2TreeAdapterMap> = {
  ...adapter,
  createElement(name, namespace, attributes) {
    const element = new Element(name, new Attributes(), []);
    element.namespace = namespace;
    let isSign = isHidingSign(name);
    for (const attribute of attributes) {
      addAttribute(element, attribute);
      isSign ||= isHidingSign(attribute.name);
    }
    if (isSign) noteSigns(element, signs);
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
