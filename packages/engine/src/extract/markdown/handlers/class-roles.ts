// What a class says an element is, in the words of widespread engines, where its tag does not say it.
import type { Element } from 'domhandler';

/** `math` holds one formula, `mathjax` the drawing of one; `formula` is a picture of one; `admonition` a box with a title; `fragment` code in lines. */
export type Role = 'math' | 'mathjax' | 'formula' | 'admonition' | 'title' | 'fragment';

const TOKENS: Readonly<Record<Role, string>> = {
  // KaTeX, MediaWiki, Sphinx and pandoc, Python-Markdown with arithmatex
  math: 'katex mwe-math-element math arithmatex',
  // MathJax 2
  mathjax: 'MathJax MathJax_Display MathJax_Preview MathJax_CHTML MathJax_SVG MathJax_SVG_Display MathJax_CommonHTML MJXc-display',
  // MediaWiki, Sphinx, WordPress, Trac
  formula: 'mwe-math-fallback-image-inline mwe-math-fallback-image-display tex latex math',
  // Sphinx and MkDocs, Docusaurus, VitePress and VuePress, GitHub, AsciiDoctor, Starlight, Quarto, Bootstrap
  admonition: 'admonition theme-admonition custom-block markdown-alert admonitionblock starlight-aside callout',
  title:
    'admonition-title admonition-heading custom-block-title markdown-alert-title starlight-aside__title callout-title callout-header alert-heading alert-title',
  // Doxygen
  fragment: 'fragment',
};

const ROLES: ReadonlyMap<string, Role> = new Map(
  // A later role would take the token of an earlier one; only pictures ask for `formula`.
  (Object.keys(TOKENS) as Role[])
    .filter((role) => role !== 'formula')
    .flatMap((role) => TOKENS[role].split(' ').map((token) => [token, role] as const)),
);
const FORMULAS: ReadonlySet<string> = new Set(TOKENS.formula.split(' '));
/** Bootstrap's boxes say their kind in a second token; class names that a build made unique begin with the name. */
const ALERT = /(?:^|\s)alert(?=\s)(?=.*\salert-(?:primary|secondary|success|danger|warning|info|light|dark|note|tip)(?:\s|$))/;
const MODULE_TITLE = /(?:^|\s)admonitionHeading_/;
/** DocBook's boxes are called by their kind and begin with it as a heading. */
export const DOCBOOK_BOX = /(?:^|\s)(?:note|warning|tip|caution|important)(?:\s|$)/;

/** Looks roles up by the class as a whole: the same classes come again and again on a page. */
export class Roles {
  private readonly known = new Map<string, Role | undefined>();

  of(element: Element): Role | undefined {
    const names = element.attribs['class'];
    if (names === undefined) return undefined;
    if (!this.known.has(names)) this.known.set(names, roleOf(names));
    return this.known.get(names);
  }
}

/** True for a picture whose description is the source of a formula. */
export function isFormula(image: Element): boolean {
  return image.attribs['class']?.split(/\s+/).some((token) => FORMULAS.has(token)) === true;
}

function roleOf(names: string): Role | undefined {
  for (const token of names.split(/\s+/)) {
    const role = ROLES.get(token);
    if (role) return role;
  }
  if (MODULE_TITLE.test(names)) return 'title';
  return ALERT.test(names) || DOCBOOK_BOX.test(names) ? 'admonition' : undefined;
}
